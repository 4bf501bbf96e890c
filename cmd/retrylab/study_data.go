package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"retrylab/experiments"
	"retrylab/internal/atomicfile"
	"retrylab/report"
	"retrylab/results"
	dataset "retrylab/results/study"
)

// paperExperiment is the set of cells that the study of repositories belongs to.
const paperExperiment = "paper"

// addStudy puts the published study of repositories beside the rows of the paper's experiments, since the report has
// tables of both.
func addStudy(dir string, m *results.Manifest) error {
	if m.Parameters[experiments.ParameterExperiment] != paperExperiment || experiments.IsSweep(m) {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(report.StudyFolder)), 0o777); err != nil {
		return err
	}
	m.Files = slices.DeleteFunc(m.Files, func(f results.FileEntry) bool { return strings.HasPrefix(f.Name, report.StudyFolder+"/") })
	return fs.WalkDir(dataset.Files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dataset.Files, name)
		if err != nil {
			return err
		}
		name = report.StudyFolder + "/" + name
		if err := atomicfile.WriteBytes(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return err
		}
		return m.AddFile(dir, name)
	})
}
