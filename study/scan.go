package study

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"retrylab/study/finding"
	"retrylab/study/tree"
)

// Source is one repository to scan.
type Source struct {
	// Dir is a folder, a clone or a bare git directory.
	Dir string
	// Name is owner/name; "" takes it from the folder's name.
	Name string
	// Commit is the commit to read from a git directory; "" = its HEAD, or the work tree as it is.
	Commit string
}

// Options steer a scan.
type Options struct {
	// Workers is the number of files read at once; 0 = one.
	Workers int
	// Detectors are asked in order; every one that wants a file sees it.
	Detectors []finding.Detector
	// Progress, when set, is called after every repository with its position,
	// and about once a second inside one with the files done so far.
	Progress func(done, total int, repo string, files int)
}

// Record says what was read of one repository; nothing is left out in silence.
type Record struct {
	// Repo and Commit are as in Finding; Commit is empty outside git.
	Repo, Commit string
	// Shallow is true for a clone without history.
	Shallow bool
	// FilesRead and BytesRead count files that a detector saw.
	FilesRead, BytesRead int64
	// FilesByLanguage counts the files read, by language.
	FilesByLanguage map[string]int64
	// Skipped counts files left out, by reason ("not a studied language" among them).
	Skipped map[string]int64
	// Failed lists what could not be read or only in part, as "path: why".
	Failed []string
	// Err is set when the repository as a whole could not be opened.
	Err string
}

// Language is the language most files are in; JavaScript and TypeScript count
// as one and are called javascript. Empty for a repository without source code.
func (r *Record) Language() string {
	byGroup := map[string]int64{}
	for lang, n := range r.FilesByLanguage {
		if g := group(lang); g != "" {
			byGroup[g] += n
		}
	}
	best := ""
	for _, g := range []string{finding.LangPython, finding.LangGo, finding.LangJava, finding.LangJavaScript} {
		if byGroup[g] > byGroup[best] {
			best = g
		}
	}
	return best
}

// group joins the two dialects of JavaScript and drops configuration formats.
func group(lang string) string {
	switch lang {
	case finding.LangTypeScript:
		return finding.LangJavaScript
	case finding.LangPython, finding.LangGo, finding.LangJava, finding.LangJavaScript:
		return lang
	}
	return ""
}

// SkipLanguage is the reason for files of no studied language.
const SkipLanguage = "not a studied language"

// Result is what a scan found: findings sorted by repository, path and line,
// and one record per source in the order given.
type Result struct {
	Findings []finding.Finding
	Records  []Record
}

// Scan reads every source and asks the detectors. A source that cannot be read
// has its reason in its record; the error is only for a cancelled context.
func Scan(ctx context.Context, sources []Source, opt Options) (Result, error) {
	var res Result
	for i, s := range sources {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		list, rec := scanOne(ctx, s, opt, func(files int) {
			if opt.Progress != nil {
				opt.Progress(i, len(sources), s.Name, files)
			}
		})
		res.Findings = append(res.Findings, list...)
		res.Records = append(res.Records, rec)
		if opt.Progress != nil {
			opt.Progress(i+1, len(sources), rec.Repo, int(rec.FilesRead))
		}
	}
	SortFindings(res.Findings)
	return res, ctx.Err()
}

// SortFindings puts findings in the canonical order.
func SortFindings(list []finding.Finding) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.Repo != b.Repo {
			return a.Repo < b.Repo
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		if a.Rule != b.Rule {
			return a.Rule < b.Rule
		}
		return a.SpanEnd < b.SpanEnd
	})
}

func scanOne(ctx context.Context, s Source, opt Options, tick func(files int)) ([]finding.Finding, Record) {
	repo, err := tree.Open(ctx, s.Dir, s.Name, s.Commit)
	if err != nil {
		name := s.Name
		if name == "" {
			name = s.Dir
		}
		return nil, Record{Repo: name, Commit: s.Commit, Err: oneLine(err)}
	}
	defer repo.Close()
	w := &worker{repo: repo, detectors: opt.Detectors, rec: Record{
		Repo: repo.Name, Commit: repo.Commit, Shallow: repo.Shallow,
		FilesByLanguage: map[string]int64{}, Skipped: map[string]int64{}, Failed: repo.Failed,
	}}
	for why, n := range repo.Skipped {
		w.rec.Skipped[why] += int64(n)
	}
	w.run(ctx, max(opt.Workers, 1), tick)
	sort.Strings(w.rec.Failed)
	return w.found, w.rec
}

// worker scans the files of one repository with several goroutines.
type worker struct {
	repo      *tree.Repository
	detectors []finding.Detector
	next      atomic.Int64
	mu        sync.Mutex // guards rec and found
	rec       Record
	found     []finding.Finding
}

func (w *worker) run(ctx context.Context, workers int, tick func(int)) {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(w.next.Add(1)) - 1
				if i >= len(w.repo.Files) {
					return
				}
				w.file(w.repo.Files[i].Path)
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case <-done:
			return
		case <-every.C:
			tick(int(min(w.next.Load(), int64(len(w.repo.Files)))))
		}
	}
}

// file reads one file and asks every detector that wants it.
func (w *worker) file(p string) {
	var wanting []finding.Detector
	for _, d := range w.detectors {
		if d.Wants(p) {
			wanting = append(wanting, d)
		}
	}
	if len(wanting) == 0 {
		w.skip(SkipLanguage)
		return
	}
	text, err := w.repo.Read(p)
	switch {
	case errors.Is(err, tree.ErrBinary):
		w.skip(tree.SkipBinary)
		return
	case err != nil:
		w.fail(p, err)
		return
	case tree.Generated(p, text):
		w.skip(tree.SkipVendored)
		return
	}
	file := &finding.File{Repo: w.repo.Name, Commit: w.repo.Commit, Path: p, Text: text, Tree: w.repo}
	var found []finding.Finding
	for _, d := range wanting {
		list, err := guarded(d, file)
		for i := range list {
			list[i].Finish(file)
		}
		found = append(found, list...)
		if err != nil {
			w.fail(p, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rec.FilesRead++
	w.rec.BytesRead += int64(len(text))
	w.rec.FilesByLanguage[finding.LanguageOf(p)]++
	w.found = append(w.found, found...)
}

// guarded turns a panic of a detector into an error of this file: one strange
// file must not end a study of hundreds of repositories.
func guarded(d finding.Detector, f *finding.File) (list []finding.Finding, err error) {
	defer func() {
		if r := recover(); r != nil {
			list, err = nil, fmt.Errorf("detector %s panicked: %v at %s", d.Name(), r, panicSite(debug.Stack()))
		}
	}()
	return d.Scan(f)
}

// panicSite picks the first line of our own packages below the panic.
func panicSite(stack []byte) string {
	after := false
	for line := range strings.Lines(string(stack)) {
		after = after || strings.HasPrefix(line, "panic(")
		if after && strings.HasPrefix(line, "retrylab/study/") {
			return strings.TrimSpace(line)
		}
	}
	return "unknown place"
}

func (w *worker) skip(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rec.Skipped[why]++
}

func (w *worker) fail(p string, err error) {
	why := oneLine(err)
	if !strings.HasPrefix(why, p) {
		why = p + ": " + why
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rec.Failed = append(w.rec.Failed, why)
}

// oneLine keeps an error readable in a table.
func oneLine(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	return s
}
