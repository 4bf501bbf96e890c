package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run is: a bar with the time left on a terminal, a line every tenth otherwise.
type progress struct {
	w     io.Writer
	name  string
	quiet bool
	bar   *progressbar.ProgressBar
	tenth int
	start time.Time
}

func (a *app) progress(name string, quiet bool) *progress {
	return &progress{w: a.stderr, name: name, quiet: quiet, start: time.Now()}
}

// step tells that done of total trials are written.
func (p *progress) step(done, total int) {
	switch {
	case p.quiet:
	case p.bar != nil:
		_ = p.bar.Set(done) // a terminal that does not take it is no reason to stop
	case isTerminal(p.w) && done < total:
		p.bar = newBar(p.w, p.name, total)
	case done*10/total > p.tenth:
		p.tenth = done * 10 / total
		took := time.Since(p.start)
		left := time.Duration(float64(took) / float64(done) * float64(total-done))
		fmt.Fprintf(p.w, "%s: %d of %d trials, %.1f s, about %.1f s left\n", p.name, done, total, took.Seconds(), left.Seconds())
	}
}

// finish leaves the terminal ready for the next line.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Exit()
		fmt.Fprintln(p.w)
	}
}

func newBar(w io.Writer, name string, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(name),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("trials"),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionFullWidth())
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
