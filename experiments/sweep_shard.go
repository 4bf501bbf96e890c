package experiments

import (
	"fmt"
	"os"
	"strconv"
)

// schedulers are the environments that name the part of a job array that is to be run, and what they count from.
var schedulers = []struct {
	name  string
	first int
}{
	{"SLURM_ARRAY_TASK_ID", 1},
	{"JOB_COMPLETION_INDEX", 0},
	{"SGE_TASK_ID", 1},
}

// FindShard is the part that a command line asks for: i/n in text, or the part that the environment of a cluster's
// job names, of count parts. The number of parts is never taken from a scheduler, nor is the first number of an array: when
// one task is run again, the scheduler counts one, from there on. The empty text with 0 parts is the whole.
func FindShard(text string, count int) (Shard, error) {
	switch {
	case text != "" && count != 0:
		return Shard{}, fmt.Errorf("shard and shards cannot be given together, got %s and %d", text, count)
	case count == 0:
		return ParseShard(text)
	case count < 0:
		return Shard{}, fmt.Errorf("shards: must be at least 1, got %d", count)
	}
	var found Shard
	from := ""
	for _, s := range schedulers {
		value := os.Getenv(s.name)
		if value == "" || value == "undefined" { // what SGE says outside arrays
			continue
		}
		i, err := strconv.Atoi(value)
		if err != nil || i < s.first || i >= s.first+count {
			return Shard{}, fmt.Errorf("shards: %s is %q, expected %d to %d for %d shards: number the tasks from %d on", s.name, value, s.first, s.first+count-1, count, s.first)
		}
		shard := Shard{i - s.first + 1, count}
		if from != "" && shard != found {
			return Shard{}, fmt.Errorf("shards: %s names part %v and %s part %v; say which with --shard", from, found, s.name, shard)
		}
		found, from = shard, s.name
	}
	if from != "" {
		return found, nil
	}
	return Shard{}, fmt.Errorf("shards: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and SGE_TASK_ID is set; outside a job array say --shard 1/%d", count)
}

// NamedTask is the variable of a cluster's job array that the environment has, as NAME=VALUE, or empty outside arrays.
func NamedTask() string {
	for _, s := range schedulers {
		if value := os.Getenv(s.name); value != "" && value != "undefined" {
			return s.name + "=" + value
		}
	}
	return ""
}
