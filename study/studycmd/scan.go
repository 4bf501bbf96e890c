package studycmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"retrylab/study"
	"retrylab/study/tree"
)

// scanFlags are the flags of study scan.
type scanFlags struct {
	common
	repos, out, format, failOn string
	all, paper                 bool
}

func scanCommand() *cobra.Command {
	var f scanFlags
	c := &cobra.Command{
		Use:   "scan [PATH...]",
		Short: "Scan repositories and give advice, or store the findings",
		Long: `Scan folders, clones or bare git directories (default: the current folder).

Without --out every problem is printed as advice; retrylab:ignore in a comment
and the file .retrylabignore make exceptions (see docs/study-rules.md). With
--out the findings, the repositories read and everything left out are stored
as Parquet tables instead.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.common.add(c)
	c.Flags().StringVar(&f.repos, "repos", "", "folder of clones, or a file that lists them (folder, owner/name, commit)")
	c.Flags().StringVar(&f.out, "out", "", "folder for the tables")
	c.Flags().StringVar(&f.format, "format", "text", "text, json or sarif")
	c.Flags().StringVar(&f.failOn, "fail-on", "none", "end with code 1 at this severity: note, warning, error, none")
	c.Flags().BoolVar(&f.all, "all", false, "print every finding, not only advice")
	c.Flags().BoolVar(&f.paper, "paper", false, "use the paper's detector instead, for comparison")
	return c
}

func (f *scanFlags) run(cmd *cobra.Command, args []string) error {
	if f.format != "text" && f.format != "json" && f.format != "sarif" {
		return usagef("--format %q: expected text, json or sarif", f.format)
	}
	if !study.ValidSeverity(f.failOn) {
		return usagef("--fail-on %q: expected note, warning, error or none", f.failOn)
	}
	sources, err := sourcesFrom(args, f.repos)
	if err != nil {
		return err
	}
	list, leftOut := detectors(f.paper)
	if leftOut != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), leftOut)
	}
	res, err := study.Scan(cmd.Context(), sources, f.options(cmd, list))
	if err != nil {
		return err
	}
	if f.out != "" {
		d := study.DatasetOf(res)
		fmt.Fprintln(cmd.ErrOrStderr(), summary(d))
		return d.Save(f.out)
	}
	return f.print(cmd, res, sources, leftOut)
}

// summary says what was read, in one line.
func summary(d study.Dataset) string {
	var files, bytes, failed int64
	bad := 0
	for _, r := range d.Repositories {
		files, bytes, failed = files+r.FilesRead, bytes+r.BytesRead, failed+r.FilesFailed
		if r.Error != "" {
			bad++
		}
	}
	return fmt.Sprintf("%d findings in %d repositories (%d not readable), %d files, %.1f MiB; %d files failed",
		len(d.Findings), len(d.Repositories), bad, files, float64(bytes)/(1<<20), failed)
}

func (f *scanFlags) print(cmd *cobra.Command, res study.Result, sources []study.Source, leftOut string) error {
	advice, err := advise(cmd, res, sources)
	if err != nil {
		return err
	}
	notes := problems(res, leftOut)
	out := cmd.OutOrStdout()
	switch f.format {
	case "sarif":
		err = study.WriteSARIF(out, advice, notes, "")
	case "json":
		err = writeJSON(out, advice, res, notes, f.all)
	default:
		err = writeText(out, advice, res, f.all)
		for _, n := range problems(res, "") { // what is left out has been said
			fmt.Fprintln(cmd.ErrOrStderr(), n)
		}
	}
	if err != nil {
		return err
	}
	if study.Fails(advice, f.failOn) {
		return ErrFails
	}
	return nil
}

// problems lists what could not be read.
func problems(res study.Result, leftOut string) (notes []string) {
	if leftOut != "" {
		notes = append(notes, leftOut)
	}
	for _, r := range res.Records {
		if r.Err != "" {
			notes = append(notes, r.Repo+": "+r.Err)
		}
		notes = append(notes, r.Failed...)
	}
	return notes
}

// advise applies the rules and each repository's own exceptions.
func advise(cmd *cobra.Command, res study.Result, sources []study.Source) ([]study.Advice, error) {
	var out []study.Advice
	for i, r := range res.Records {
		if r.Err != "" {
			continue
		}
		var own study.Result
		for _, f := range res.Findings {
			if f.Repo == r.Repo {
				own.Findings = append(own.Findings, f)
			}
		}
		list := study.Advise(own.Findings)
		if len(list) == 0 {
			continue
		}
		kept, err := filter(cmd, sources[i], list)
		if err != nil {
			return nil, err
		}
		out = append(out, kept...)
	}
	return out, nil
}

func filter(cmd *cobra.Command, s study.Source, list []study.Advice) ([]study.Advice, error) {
	repo, err := tree.Open(cmd.Context(), s.Dir, s.Name, s.Commit)
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	var ig study.Ignores
	text, err := repo.Read(study.IgnoreFile)
	if err == nil {
		if ig, err = study.ParseIgnores(filepath.Join(s.Dir, study.IgnoreFile), text); err != nil {
			return nil, UsageError{err}
		}
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return ig.Filter(list, repo.Read), nil
}

func writeText(w io.Writer, advice []study.Advice, res study.Result, all bool) error {
	if all {
		for _, f := range res.Findings {
			if _, err := fmt.Fprintf(w, "%s:%d: %s (%s confidence)\n", f.Path, f.Line, study.Describe(f), f.Confidence); err != nil {
				return err
			}
		}
	}
	for _, a := range advice {
		if _, err := fmt.Fprintf(w, "%s:%d: %s: %s [%s]\n", a.Finding.Path, a.Finding.Line, a.Severity, a.Message, a.Rule.ID); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d findings, %d pieces of advice\n", len(res.Findings), len(advice))
	return err
}

// jsonAdvice is one piece of advice in the JSON format.
type jsonAdvice struct {
	Rule     string           `json:"rule"`
	Severity string           `json:"severity"`
	Message  string           `json:"message"`
	Finding  study.FindingRow `json:"finding"`
}

func writeJSON(w io.Writer, advice []study.Advice, res study.Result, notes []string, all bool) error {
	doc := struct {
		Advice   []jsonAdvice       `json:"advice"`
		Findings []study.FindingRow `json:"findings,omitempty"`
		NotRead  []string           `json:"not_read"`
	}{Advice: []jsonAdvice{}, NotRead: append([]string{}, notes...)}
	for _, a := range advice {
		doc.Advice = append(doc.Advice, jsonAdvice{a.Rule.ID, a.Severity, a.Message, study.RowOf(a.Finding)})
	}
	if all {
		doc.Findings = study.DatasetOf(res).Findings
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(doc)
}
