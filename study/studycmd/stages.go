package studycmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"retrylab/internal/atomicfile"
	"retrylab/results"
	"retrylab/study"
)

func cleanCommand() *cobra.Command {
	var in, out string
	var opt study.CleanOptions
	c := &cobra.Command{
		Use: "clean", Short: "Take out what is not a production configuration or counted twice", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := study.Load(in)
			if err != nil {
				return err
			}
			cleaned := study.Clean(d.Findings, opt)
			if err := writeFlow(cmd, cleaned.Flow, out); err != nil || out == "" {
				return err
			}
			d.Findings = cleaned.Kept
			return d.Save(out)
		},
	}
	c.Flags().StringVar(&in, "in", "results/study", "folder with the tables of a scan")
	c.Flags().StringVar(&out, "out", "", "folder for the cleaned tables and flow.csv; none = only print the flow")
	c.Flags().BoolVar(&opt.TenLines, "ten-lines", false, "the paper's duplicate rule: within ten lines in one file")
	c.Flags().BoolVar(&opt.KeepLocal, "keep-local", false, "keep retries of local resources")
	c.Flags().BoolVar(&opt.KeepUnsure, "keep-unsure", false, "keep findings of low confidence")
	return c
}

func writeFlow(cmd *cobra.Command, flow []study.FlowStep, out string) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, "step,removed,left")
	for _, s := range flow {
		fmt.Fprintf(&text, "%s,%d,%d\n", s.Step, s.Removed, s.Left)
	}
	if out == "" {
		_, err := cmd.OutOrStdout().Write(text.Bytes())
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(out, "flow.csv"), text.Bytes())
}

func tableCommand() *cobra.Command {
	var in, out string
	var opt study.CleanOptions
	c := &cobra.Command{
		Use: "table", Short: "Make Table I and the anti-patterns, by language, beside the paper's numbers", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := study.Load(in)
			if err != nil {
				return err
			}
			rows := study.Tabulate(study.Clean(d.Findings, opt).Kept, d.Repositories)
			text := study.Markdown(rows)
			if out == "" {
				_, err := fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			if err := os.MkdirAll(out, 0o755); err != nil {
				return err
			}
			if _, err := results.WriteTable(filepath.Join(out, "study_tables.parquet"), rows); err != nil {
				return err
			}
			return atomicfile.WriteBytes(filepath.Join(out, "tables.md"), []byte(text))
		},
	}
	c.Flags().StringVar(&in, "in", "results/study", "folder with the tables of a scan")
	c.Flags().StringVar(&out, "out", "", "folder for study_tables.parquet and tables.md; none = print")
	c.Flags().BoolVar(&opt.TenLines, "ten-lines", false, "the paper's duplicate rule: within ten lines in one file")
	c.Flags().BoolVar(&opt.KeepLocal, "keep-local", false, "keep retries of local resources")
	c.Flags().BoolVar(&opt.KeepUnsure, "keep-unsure", false, "keep findings of low confidence")
	return c
}

func benchCommand() *cobra.Command {
	var f common
	var labels, clones string
	var paper, verbose bool
	c := &cobra.Command{
		Use: "bench", Short: "Measure recall and field accuracy against a labelled set", Args: cobra.NoArgs,
		Long: `Scan the labelled repositories' local clones and compare. Nothing is fetched; a
label whose clone is missing is reported as not tested.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if labels == "" || clones == "" {
				return usagef("--labels and --clones are needed")
			}
			rows, err := study.ReadLabels(labels)
			if err != nil {
				return UsageError{err}
			}
			list, leftOut := detectors(paper)
			if leftOut != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), leftOut)
			}
			f.quiet = true
			res, err := study.Bench(cmd.Context(), rows, clones, f.options(cmd, list))
			if err != nil {
				return err
			}
			return study.WriteBench(cmd.OutOrStdout(), res, verbose)
		},
	}
	f.add(c)
	c.Flags().StringVar(&labels, "labels", "", "labelled set, one JSON object a line")
	c.Flags().StringVar(&clones, "clones", "", "folder with the clones (owner+name, owner/name or name)")
	c.Flags().BoolVar(&paper, "paper", false, "measure the paper's detector instead")
	c.Flags().BoolVar(&verbose, "verbose", false, "list every miss, every negative flagged and every wrong field")
	return c
}

func prevalenceCommand() *cobra.Command {
	var a study.Audit
	var seed uint64
	c := &cobra.Command{
		Use: "prevalence", Short: "Correct a detection rate for measured recall", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.Repositories < 1 || a.Searched < 1 || a.Detected < 0 || a.Detected > a.Repositories || a.Missed < 0 || a.Missed > a.Searched || a.TruePositives > a.Checked {
				return usagef("counts do not fit together: detected %d of repositories %d, missed %d of searched %d, confirmed %d of checked %d, expected each at most what it is of, and repositories and searched at least 1",
					a.Detected, a.Repositories, a.Missed, a.Searched, a.TruePositives, a.Checked)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "detected    %v\nprevalence  %v  (carrying the misses' interval alone)\nprevalence  %v  (carrying every interval)\n",
				study.Wilson(a.Detected, a.Repositories), a.Prevalence(), a.PrevalenceFull(20000, seed))
			return err
		},
	}
	c.Flags().IntVar(&a.Detected, "detected", 23, "repositories with a detection (default: the paper's counts)")
	c.Flags().IntVar(&a.Repositories, "repositories", 200, "repositories scanned")
	c.Flags().IntVar(&a.Missed, "missed", 10, "searched repositories that retry after all")
	c.Flags().IntVar(&a.Searched, "searched", 30, "undetected repositories searched in full")
	c.Flags().IntVar(&a.TruePositives, "confirmed", 0, "detections confirmed, of --checked")
	c.Flags().IntVar(&a.Checked, "checked", 0, "detections checked; 0 = taken as exact")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the bootstrap")
	return c
}

// validateFlags are the flags of study validate.
type validateFlags struct {
	common
	in, repos, out, score string
	findings, silent      int
}

func validateCommand() *cobra.Command {
	var f validateFlags
	c := &cobra.Command{
		Use: "validate", Short: "Draw samples for review, or score a reviewed sheet", Args: cobra.NoArgs,
		Long: `Draw a seeded sample of findings (for precision) and of files that speak of
retrying without a finding (for recall). sheet.csv is to be filled in: verdict
true, false or unsure, the wrong fields, and a reason. review.md shows the code
from the local clones; it is for the reviewer and not for publication.

With --score, read a filled-in sheet and print Wilson intervals.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.score != "" {
				return f.printScore(cmd)
			}
			return f.draw(cmd)
		},
	}
	f.add(c)
	f.addSeed(c)
	c.Flags().StringVar(&f.in, "in", "results/study", "folder with the tables of a scan")
	c.Flags().StringVar(&f.repos, "repos", "", "folder of clones, or a file that lists them")
	c.Flags().StringVar(&f.out, "out", "", "folder for sheet.csv and review.md")
	c.Flags().IntVar(&f.findings, "findings", 60, "findings to draw")
	c.Flags().IntVar(&f.silent, "silent", 60, "files without a finding to draw")
	c.Flags().StringVar(&f.score, "score", "", "filled-in sheet to score")
	return c
}

func (f *validateFlags) draw(cmd *cobra.Command) error {
	if f.repos == "" || f.out == "" {
		return usagef("--repos and --out are needed to draw a sample")
	}
	d, err := study.Load(f.in)
	if err != nil {
		return err
	}
	sources, err := sourcesFrom(nil, f.repos)
	if err != nil {
		return err
	}
	list, _ := detectors(false)
	wants := func(p string) bool {
		for _, x := range list {
			if x.Wants(p) {
				return true
			}
		}
		return false
	}
	items := study.SampleFindings(study.Clean(d.Findings, study.CleanOptions{}).Kept, f.findings, f.seed)
	silent, err := study.SampleSilent(cmd.Context(), sources, d.Findings, wants, f.silent, f.seed)
	if err != nil {
		return err
	}
	items = append(items, silent...)
	dirs := map[string]string{}
	for _, s := range sources {
		dirs[s.Name] = s.Dir
	}
	var sheet, review bytes.Buffer
	if err := errors.Join(study.WriteSheet(&sheet, items), study.WriteReview(cmd.Context(), &review, items, func(repo string) string { return dirs[repo] })); err != nil {
		return err
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	return errors.Join(atomicfile.WriteBytes(filepath.Join(f.out, "sheet.csv"), sheet.Bytes()), atomicfile.WriteBytes(filepath.Join(f.out, "review.md"), review.Bytes()))
}

func (f *validateFlags) printScore(cmd *cobra.Command) error {
	text, err := os.ReadFile(f.score)
	if err != nil {
		return err
	}
	items, err := study.ReadSheet(f.score, bytes.NewReader(text))
	if err != nil {
		return UsageError{err}
	}
	s := study.ScoreSheet(items)
	var b strings.Builder
	for _, x := range []struct {
		name  string
		share study.Share
	}{
		{"findings that are retries", s.Precision}, {"total attempts right", s.Attempts}, {"backoff kind right", s.Backoff},
		{"jitter right", s.Jitter}, {"silent files with a miss", s.Silent},
	} {
		fmt.Fprintf(&b, "%-26s %d/%d = %v\n", x.name, x.share.Hit, x.share.Of, study.Wilson(x.share.Hit, x.share.Of))
	}
	fmt.Fprintf(&b, "%-26s %d\n%-26s %d\n", "unsure", s.Unsure, "without a verdict", s.Open)
	_, err = fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}
