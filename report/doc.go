// Package report turns the stored rows of a run into tables, figures and one
// HTML page. It sees rows only (package results), never the simulator, so a
// report can be made again wherever the rows are.
//
// [Write] makes everything; [Check] makes the tables and the figures' data again
// from the stored rows and says where the files differ. Both are deterministic:
// equal rows give equal bytes.
//
// To add a table or a figure, write one file with one builder and name it in the
// list in tables.go or figures.go.
package report
