// Package sweeps turns the rows of a sweep into its tables, figures and page.
//
// Every sweep gets the table of its cells (cells.csv: means with intervals, probabilities, times to
// recover) and, if it compares strategies, that of paired differences. The standard sweeps have
// figures of their own, one file each, named in the list in write.go; others get plain ones.
package sweeps
