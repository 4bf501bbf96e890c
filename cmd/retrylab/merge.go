package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/results"
)

func (a *app) mergeCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "merge --out DIR SHARD...",
		Short:   "Join the shards of a run or a sweep into the results of the whole",
		Example: "  retrylab merge --out results/paper part1 part2 part3 part4",
		Args:    cobra.MinimumNArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "folder of the merged results")
	if err := c.MarkFlagRequired("out"); err != nil {
		panic(err) // only a misspelt name can cause it
	}
	c.RunE = func(_ *cobra.Command, shards []string) error {
		started := time.Now()
		first := firstManifest(shards)
		for _, shard := range shards {
			if sameFolder(shard, out) {
				return usageError{fmt.Errorf("--out: %s is one of the shards, expected another folder", out)}
			}
			if inside(out, shard) {
				return usageError{fmt.Errorf("--out: %s lies in the shard %s, which it would change, expected another folder", out, shard)}
			}
		}
		if err := sameExperiment(out, first.Parameters[experiments.ParameterExperiment]); err != nil {
			return err
		}
		join := experiments.Merge
		if experiments.IsSweep(first) {
			if _, err := os.Stat(filepath.Join(out, results.ManifestName)); err == nil {
				return usageError{fmt.Errorf("--out: %s has results already, expected another folder", out)}
			}
			join = experiments.MergeSweep
		}
		return staged(out, func(dir string) error {
			m, err := join(shards, dir)
			if errors.Is(err, experiments.ErrOtherSweep) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			return publish(dir, m, true, results.NewProvenance(1, started, source()))
		})
	}
	return c
}

// firstManifest is that of the first shard that has one; it tells a run from a sweep. What is wrong with the others is found with the rest.
func firstManifest(shards []string) *results.Manifest {
	for _, shard := range shards {
		if m, err := results.ReadManifest(shard); err == nil {
			return m
		}
	}
	return new(results.Manifest)
}

// inside tells whether a path, of which the last parts need not be there, leads into a folder.
func inside(path, folder string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for parent := filepath.Dir(abs); ; parent = filepath.Dir(parent) {
		if _, err := os.Stat(parent); err == nil && sameFolder(parent, folder) {
			return true
		}
		if parent == filepath.Dir(parent) {
			return false
		}
	}
}

// sameFolder tells whether two paths are of one folder.
func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
