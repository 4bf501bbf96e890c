// Package finding is the contract between the scanner of the retry study and
// its detectors: what a retry finding says, what a detector is given, and the
// parts of the judgement that do not depend on a language.
//
// A detector is anything that implements Detector. It gets one File at a time,
// possibly from several goroutines at once, and returns facts about the retry
// code in it. The scanner fills Repo, Commit, Path, Language (when empty),
// Production and the rule defaults with Finish, so a detector sets only what it
// saw. A package of detectors exports
//
//	func Detectors() (list []finding.Detector, leftOut string)
//
// where leftOut says in one sentence which languages this build cannot read
// and why (empty when nothing is left out), so that a build without a C
// compiler still compiles and reports what it skips.
//
// # What counts as a retry
//
// A retry has a failure edge that repeats the same operation against a
// dependency: an exception handler that does not leave the loop, an error or
// status test that goes round again, a timer that calls the failed function
// once more. Polling (repeats because a normal answer is not yet the wanted
// one), pagination (the argument moves on), periodic work and cache refresh
// are not retries, whatever their variables are called. Shape and Judge state
// that rule once for every language: a front end describes the construct in a
// Shape, Judge decides.
//
// # Counts
//
// Libraries count total attempts or retries after the first, and use
// sentinels for "for ever", "off" and "the default". A CountRule per API says
// which; Apply turns the raw number into TotalAttempts and Unlimited. Nothing
// else in the study compares raw numbers.
package finding
