// Package treesit holds the detectors of the retry study for Python, Java,
// JavaScript and TypeScript, which are read with tree-sitter.
//
// A file goes through five stages, each in its own files:
//
//  1. mask_*.go blanks functions that cannot hold a retry (parsing is the
//     slowest stage), parse.go reads the rest into a plain syntax tree;
//  2. lower_*.go turns the tree of one language into one small neutral tree
//     (tree.go). This is all that differs between the languages, apart from
//     the word lists in lang.go and the API tables in table_*.go;
//  3. resolve*.go, eval.go and arithmetic.go give expressions their values: literals, named
//     constants of the file and of other files, defaults of parameters;
//  4. api.go and match.go recognise libraries by the tables, site.go and read_*.go
//     fill in their defaults; settings*.go and grpc.go recognise settings and service configuration,
//     nobound.go what is only named like one;
//  5. loops.go, recursion.go, timers.go, requeue.go and inline.go look for hand-rolled
//     retries. shape.go describes them for finding.Judge. They decide by running the construct (world.go, exec*.go, call.go, invoke.go) in
//     two imagined worlds: one where the operation always fails and one where
//     it succeeds at once. In the failing world a retry repeats the operation,
//     and the run counts the attempts and records the waits, so that range(n+1),
//     countdowns, checks before or after the increment and helper functions need
//     no rules of their own. In the good world a retry leaves after one attempt.
//     calls.go picks the operation. walks.go tells loops over items apart, otherwork.go
//     passes that do something else, local.go resources of the machine.
//
// tree-sitter needs a C compiler: without cgo the package compiles to an empty
// list of detectors and says so.
package treesit
