//go:build cgo

package treesit

import (
	"bytes"
	"fmt"

	"retrylab/study/finding"
)

// Detectors returns the detectors for Python, Java, JavaScript and TypeScript.
// leftOut is empty: this build reads all of them.
func Detectors() (list []finding.Detector, leftOut string) {
	return []finding.Detector{
		&detector{finding.LangPython, []*lang{langPython}},
		&detector{finding.LangJava, []*lang{langJava}},
		&detector{finding.LangJavaScript, []*lang{langJS}},
		&detector{finding.LangTypeScript, []*lang{langTS, langTSX}},
	}, ""
}

type detector struct {
	name  string
	langs []*lang
}

// Name returns the language.
func (d *detector) Name() string { return d.name }

// Wants reports whether the path's extension belongs to the language.
func (d *detector) Wants(p string) bool {
	l := langOf(p)
	for _, x := range d.langs {
		if x == l {
			return true
		}
	}
	return false
}

// Scan finds the retries of one file.
func (d *detector) Scan(f *finding.File) (found []finding.Finding, err error) {
	defer func() { // one file must not end a scan of thousands
		if r := recover(); r != nil {
			found, err = nil, fmt.Errorf("%s: internal error: %v", f.Path, r)
		}
	}()
	l := langOf(f.Path)
	if l == nil || !finding.Gate(f.Text) {
		return nil, nil
	}
	if bytes.IndexByte(f.Text[:min(len(f.Text), 8192)], 0) >= 0 {
		return nil, fmt.Errorf("%s: binary content", f.Path)
	}
	if l.js && minified(f.Text) {
		return nil, fmt.Errorf("%s: minified script", f.Path)
	}
	u, err := l.read(f.Path, f.Text, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	s := &scan{u: u, load: &loader{tree: f.Tree, seen: map[string]bool{}}}
	s.run()
	if u.broken > 0 {
		err = fmt.Errorf("%s:%d: syntax not understood, the rest was scanned", f.Path, u.broken)
	}
	return s.found, err
}

// minified: long and nearly without line ends, so written by a tool.
func minified(text []byte) bool {
	return len(text) > 20000 && len(text)/(1+bytes.Count(text, []byte{'\n'})) > 400
}

// scan collects the findings of one file.
type scan struct {
	u     *unit
	load  *loader
	found []finding.Finding
	// taken are nodes that a finding already explains.
	taken map[*node]bool
	// doneFunc are functions whose re-queueing has been reported.
	doneFunc map[*node]bool
	// override gives the parameters of a function set values.
	override map[*node]map[string]value
}

func (s *scan) run() {
	s.taken, s.doneFunc = map[*node]bool{}, map[*node]bool{}
	s.libraries()
	s.loops()
	s.recursions()
	s.timers()
	s.inlines()
	s.settings()
}

func (s *scan) add(f finding.Finding) { s.found = append(s.found, f) }

// function is the simple name of the function around a node.
func function(n *node) string {
	for fn := n.up(opFunc); fn != nil; fn = fn.up(opFunc) {
		if fn.name != "" {
			return fn.name
		}
		if b := boundName(fn); b != "" {
			return b
		}
	}
	return ""
}
