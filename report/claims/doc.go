// Package claims judges what the paper says by what was measured.
//
// [Load] reads the stored rows of a run; [Judge] gives a verdict on each claim, by
// rules with stated thresholds, so that other rows can give other verdicts. Nothing
// is simulated here and no verdict is typed in. [Findings] is the same as two or
// three pages of prose.
//
// Claims are said in our own words; section numbers are the paper's.
package claims
