//go:build cgo

package treesit

import (
	"bytes"

	"retrylab/study/finding"
)

// The words of the mask are stricter than those of the gate, because they are
// asked per function: a function that has none of them is not parsed.
var maskGate = finding.NewGate("retry", "retries", "retried", "retriable", "attempt", " tries", "_tries", ".tries", "(tries", "maxtries", "ntries",
	"backoff", "back_off", "reconnect", "sleep", "redial", "jitter", "failover", "resilien", "call_later", "timer(", "requeue", "ensure_connection")

// maskPython returns a copy of the text in which functions without a word of
// interest are replaced by "pass" and blanks, so that lines and columns of the
// rest stay as they are. Functions are found by indentation at top level and in
// classes; a nested function belongs to the one around it.
//
// Parsing is by far the slowest stage, and in files with a retry nine functions
// of ten have nothing to do with it.
func maskPython(text []byte) []byte {
	out := bytes.Clone(text)
	m := masker{text: text, out: out, aliases: aliases(text)}
	m.run()
	m.restore()
	return out
}

// aliases are the names under which imports bring in something whose own name
// holds a word of interest ("from tenacity import retry as again").
func aliases(text []byte) (out [][]byte) {
	for line := range bytes.Lines(text) {
		plain := bytes.TrimSpace(line)
		if !bytes.HasPrefix(plain, []byte("from ")) && !bytes.HasPrefix(plain, []byte("import ")) || !bytes.Contains(plain, []byte(" as ")) || !maskGate(plain) {
			continue
		}
		for part := range bytes.SplitSeq(plain, []byte(",")) {
			before, name, ok := bytes.Cut(bytes.Trim(part, " ()"), []byte(" as "))
			if name = bytes.TrimSpace(name); ok && len(name) > 0 && maskGate(before) && !maskGate(name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// named: the text uses one of the aliases.
func (m *masker) named(text []byte) bool {
	for _, a := range m.aliases {
		for at := 0; ; {
			i := bytes.Index(text[at:], a)
			if i < 0 {
				break
			}
			at += i + len(a)
			if (at-len(a) == 0 || !identByte(text[at-len(a)-1])) && (at == len(text) || !identByte(text[at])) {
				return true
			}
		}
	}
	return false
}

// smallHelper is the size up to which a function without a word is kept after
// all when a kept function names it: it may compute a wait or a limit.
const smallHelper = 400

// restore brings back small helpers that the remaining text mentions.
func (m *masker) restore() {
	if len(m.small) == 0 {
		return
	}
	used := map[string]bool{}
	for i := 0; i < len(m.out); {
		if !identByte(m.out[i]) {
			i++
			continue
		}
		j := i
		for j < len(m.out) && identByte(m.out[j]) {
			j++
		}
		used[string(m.out[i:j])] = true
		i = j
	}
	for _, h := range m.small {
		if used[h.name] {
			copy(m.out[h.start:h.end], m.text[h.start:h.end])
		}
	}
}

func identByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

type helper struct {
	start, end int
	name       string
}

// defName is the name in "def name(...)" or "async def name(...)".
func defName(def []byte) string {
	_, rest, _ := bytes.Cut(def, []byte("def "))
	n := 0
	for n < len(rest) && identByte(rest[n]) {
		n++
	}
	return string(rest[:n])
}

type masker struct {
	text, out []byte
	// aliases are names that stand for words of interest.
	aliases [][]byte
	// start is the first byte of the definition's first line (decorators
	// included), def the position of "def" or "async", -1 = none open.
	start, def, indent int
	open               bool
	small              []helper
	pending            int // start of decorators waiting for their definition, -1 = none
}

func (m *masker) run() {
	m.pending, m.def = -1, -1
	at := 0
	for at < len(m.text) {
		end := m.logical(at)
		m.line(at, end)
		at = end
	}
	m.close(len(m.text))
}

// logical is the end of the logical line that starts at at: brackets and strings
// may carry it over several lines.
func (m *masker) logical(at int) int {
	depth := 0
	t := m.text
	for i := at; i < len(t); i++ {
		switch c := t[i]; c {
		case '\n':
			if depth <= 0 {
				return i + 1
			}
		case '\\':
			i++
		case '#':
			for i+1 < len(t) && t[i+1] != '\n' {
				i++
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'':
			i = skipString(t, i) - 1
		}
	}
	return len(t)
}

// skipString returns the position after the string that starts at i. A string
// that is not closed ends with its line, a long one with the text.
func skipString(t []byte, i int) int {
	q := t[i]
	if i+2 < len(t) && t[i+1] == q && t[i+2] == q {
		for j := i + 3; j < len(t); j++ {
			if t[j] == '\\' {
				j++
			} else if t[j] == q && j+2 < len(t) && t[j+1] == q && t[j+2] == q {
				return j + 3
			}
		}
		return len(t)
	}
	for j := i + 1; j < len(t); j++ {
		switch t[j] {
		case '\\':
			j++
		case q:
			return j + 1
		case '\n':
			return j
		}
	}
	return len(t)
}

// line looks at one logical line.
func (m *masker) line(at, end int) {
	t := m.text
	i := at
	for i < end && (t[i] == ' ' || t[i] == '\t') {
		i++
	}
	if i >= end || t[i] == '\n' || t[i] == '\r' || t[i] == '#' {
		return
	}
	indent := i - at
	if m.open && indent > m.indent {
		return
	}
	m.close(at)
	rest := t[i:end]
	switch {
	case rest[0] == '@':
		if m.pending < 0 {
			m.pending = at
		}
		return
	case bytes.HasPrefix(rest, []byte("def ")), bytes.HasPrefix(rest, []byte("async def ")):
		m.open, m.indent, m.def, m.start = true, indent, i, at
		if m.pending >= 0 {
			m.start = m.pending
		}
	}
	m.pending = -1
}

// close ends the open definition before end and blanks it when it has no word of
// interest.
func (m *masker) close(end int) {
	if !m.open {
		return
	}
	m.open = false
	if maskGate(m.text[m.start:end]) || m.named(m.text[m.start:end]) {
		return
	}
	if end-m.start <= smallHelper {
		m.small = append(m.small, helper{m.start, end, defName(m.text[m.def:end])})
	}
	for i := m.start; i < end; i++ {
		if c := m.out[i]; c != '\n' && c != '\r' {
			m.out[i] = ' '
		}
	}
	copy(m.out[m.def:], "pass")
}
