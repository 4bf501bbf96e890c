// Package study measures how source repositories configure retries: it scans
// them with the detectors of its sub-packages, cleans and validates what was
// found, and tabulates it beside the paper's numbers.
//
// The stages are plain functions on rows, one file each: Scan reads
// repositories, Clean takes out what is not production code or counted twice,
// Sample and Score measure precision and recall by hand-made verdicts, Tabulate
// makes the tables. Collect finds and clones repositories. Advise turns findings
// into advice for a team's own code.
package study
