package main

import (
	"fmt"

	"retrylab/experiments"
)

// warnOfTask says that the whole sweep is run though the environment is that of a task of an array: a script that forgot
// --shards does the same work in every task. It is no mistake, since a whole sweep may be a task of an array of others.
func (a *app) warnOfTask(part experiments.Shard) {
	if task := experiments.NamedTask(); task != "" && part.Count == 0 {
		fmt.Fprintf(a.stderr, "warning: %s names a task, but no --shards N was given: all of the sweep is run, not a part\n", task)
	}
}
