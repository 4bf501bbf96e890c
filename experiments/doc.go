// Package experiments turns files into cells and runs cells.
//
// A model file describes services, clients and calls; a scenario file adds faults and
// a strategy file a retry policy. [Compose] joins them into a [Cell], checks all of it
// at once, and gives it an id and the key of its random draws. A [Runner] runs cells
// times trials on all cores and hands the rows over in order, the same rows whatever
// the number of workers. A [Dataset] stores them, in one go or in shards that [Merge]
// joins into the same bytes.
//
// The files of the paper are embedded ([Models], [Scenarios], [Strategies]); they are
// meant to be copied and edited.
package experiments
