package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/results"
)

func trialsPath(dir string) string { return filepath.Join(dir, "data", "trials.parquet") }

func (a *app) reportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Make tables, figures and the report again from stored rows",
		Long: `Make tables, figures and the report again from stored rows. Rows that are not those that the manifest describes
are refused (exit code 4), and a report that cannot be made whole leaves the old one as it was.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := args[0]
			m, err := results.ReadManifest(dir)
			if err != nil {
				return err
			}
			wrong, err := checkFiles(dir, m)
			if err != nil {
				return err
			}
			wrong = ofRows(wrong)
			if len(wrong) > 0 {
				a.list(wrong)
				return fmt.Errorf("%w: the rows in %s are not those that its manifest describes; the report is left as it was", errDiffer, dir)
			}
			return staged(dir, func(fresh string) error {
				if err := render(dir, fresh, m); err != nil {
					return err
				}
				return m.Write(fresh)
			})
		},
	}
}

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify DIR",
		Short: "Recompute digests from stored rows, make the report again, and compare",
		Long: `Recompute the digests of all files, compare what the manifest says of the rows with the rows, make the whole report again
from them in a temporary folder, and compare it byte for byte. A report of another version of the program, or of another processor, may differ: that is
said and is no failure.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := args[0]
			m, err := results.ReadManifest(dir)
			if err != nil {
				return err
			}
			wrong, err := checkFiles(dir, m)
			if err != nil {
				return err
			}
			what := "files as the manifest says"
			if m.Parameters[experiments.ParameterShard] == "" && len(ofRows(wrong)) == 0 {
				differences, err := checkReport(dir, m)
				if err != nil {
					return err
				}
				if other := otherProgram(m); other != "" && len(differences) > 0 {
					fmt.Fprintf(a.stderr, "%s: %d files of the report are not what this program makes of the rows; it was made by %s\n", dir, len(differences), other)
				} else {
					wrong = append(wrong, differences...)
					what += ", tables, figures and report as the rows give them"
				}
			}
			a.list(wrong)
			if len(wrong) > 0 {
				return fmt.Errorf("%w: %d of %s", errDiffer, len(wrong), dir)
			}
			fmt.Fprintf(a.stdout, "%s: %d %s\n", dir, len(m.Files), what)
			return nil
		},
	}
}

func (a *app) list(wrong []results.Mismatch) {
	for _, w := range wrong {
		fmt.Fprintln(a.stdout, w)
	}
}

// checkFiles compares the files of a folder with its manifest, and if the rows are the described ones, what the manifest says of
// them with what they say.
func checkFiles(dir string, m *results.Manifest) ([]results.Mismatch, error) {
	wrong, err := results.Verify(dir)
	if err != nil || len(ofRows(wrong)) > 0 {
		return wrong, err
	}
	facts, err := experiments.CheckRows(dir, m)
	return append(wrong, facts...), err
}

// ofRows are those that concern rows and not the report.
func ofRows(wrong []results.Mismatch) []results.Mismatch {
	var list []results.Mismatch
	for _, w := range wrong {
		if w.File == results.ManifestName || w.File == "data" || ofData(w.File) {
			list = append(list, w)
		}
	}
	return list
}

// otherProgram says which program made the results, if it was another than this, so that what it made of the rows may differ.
func otherProgram(m *results.Manifest) string {
	own := results.NewManifest(version, 0)
	text := func(m *results.Manifest) string {
		return fmt.Sprintf("retrylab %s, %s, %s %s", m.ToolVersion, m.GoVersion, m.GOARCH, m.GOAMD64)
	}
	if text(own) == text(m) {
		return ""
	}
	return text(m)
}

// checkReport makes the report of a folder's rows again and says where the folder's is another.
func checkReport(dir string, m *results.Manifest) ([]results.Mismatch, error) {
	temporary, err := os.MkdirTemp("", "retrylab-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	// The ledger of claims reads the sweeps beside the results.
	fresh := filepath.Join(temporary, "results")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return nil, err
	}
	if err := see(temporary, filepath.Join(dir, ".."), "sweeps"); err != nil {
		return nil, err
	}
	again := *m
	again.Files = append([]results.FileEntry(nil), m.Files...)
	if err := render(dir, fresh, &again); err != nil {
		return nil, err
	}
	return compareReports(dir, fresh, m, &again)
}

// compareReports compares the files of a report that a manifest names with those that were made again.
func compareReports(dir, fresh string, m, again *results.Manifest) ([]results.Mismatch, error) {
	var list []results.Mismatch
	made := map[string]bool{}
	for _, f := range again.Files {
		made[f.Name] = true
		if ofData(f.Name) {
			continue
		}
		want, err := os.ReadFile(filepath.Join(fresh, filepath.FromSlash(f.Name)))
		if err != nil {
			return nil, err
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, results.Mismatch{File: f.Name, Problem: "missing"})
		case err != nil:
			return nil, err
		case !bytes.Equal(got, want):
			list = append(list, results.Mismatch{File: f.Name, Problem: firstDifference(got, want)})
		}
	}
	for _, f := range m.Files {
		if !made[f.Name] {
			list = append(list, results.Mismatch{File: f.Name, Problem: "the rows give no such file"})
		}
	}
	return list, nil
}

// firstDifference shows the surroundings of the first byte in which a file is not what it should be.
func firstDifference(got, want []byte) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	show := func(text []byte) []byte {
		const before, after = 30, 50
		return text[max(0, at-before):min(len(text), at+after)]
	}
	return fmt.Sprintf("line %d has %q, the rows give %q", 1+bytes.Count(want[:at], []byte("\n")), show(got), show(want))
}
