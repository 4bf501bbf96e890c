// Package queueing holds closed forms: what theory says that a simulation
// should give. It is used in two ways: the simulator is tested against it, and
// reports print it beside what was simulated.
//
//   - Retry amplification: [RAFSingle] (eq. 2 of the paper), [RAFChain]
//     (eq. 3), [RAFNestedLeaf], [Attempts] (the truncated geometric law), and
//     [Graph], which gives the exact attempts and success of any directed
//     acyclic graph of retrying services as long as capacity is infinite.
//   - Queues in steady state: [MM1], [MMc], [MMcK], [MD1], [MG1], and [Tandem]
//     for a chain of them; [ErlangB], [ErlangC].
//   - Laws that need no assumption on distributions: [Utilization],
//     [MaxThroughput], [LittleNumber], [LittleTime].
//
// Rates are per second and times are in seconds throughout. An argument that
// makes no sense (a negative rate, a probability above 1) is a programming
// error and panics with the offending number. An overloaded queue is not an
// error: its waits and lengths are +Inf, which is the right answer. A [Graph]
// usually comes from a user's file, so it returns errors, all of them at once.
//
// Sources are named by function. "The paper" is Retry Amplification in
// Distributed Systems, arXiv v1, 2026-08-26. Textbook results are in Kleinrock,
// Queueing Systems, volume 1 (Wiley, 1975), cited as Kleinrock, and Gross,
// Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 4th edition
// (Wiley, 2008), cited as Gross.
package queueing
