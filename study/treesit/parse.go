//go:build cgo

package treesit

import (
	"errors"
	"fmt"
	"sort"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// maxBytes is the largest file that is parsed. Larger ones are generated or data.
const maxBytes = 4 << 20

// maxDepth limits the nesting that is read; what lies deeper is dropped. Real
// code stays below 200.
const maxDepth = 500

var (
	errTooLarge = errors.New("file is too large to parse")
	errGaveUp   = errors.New("parser gave up: too much error recovery")
)

// cst is one node of a concrete syntax tree in Go memory, so that the C tree can
// be closed at once.
type cst struct {
	kind       string
	field      string
	start, end uint
	named      bool
	kids       []cst
}

// parsed is a parsed file: the text and the tree over it.
type parsed struct {
	text  []byte
	lines []uint // byte offset of the start of each line
	root  cst
	// broken is the first line that could not be understood, 0 when all was read.
	broken int
}

// str is the text of a node; an unnamed node is its own name.
func (s *parsed) str(c *cst) string {
	if !c.named {
		return c.kind
	}
	return string(s.text[c.start:c.end])
}

// line is the line number, from 1, of a byte offset.
func (s *parsed) line(at uint) int {
	return sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > at })
}

// child returns the first child in a field, or nil.
func (c *cst) child(field string) *cst {
	for i := range c.kids {
		if c.kids[i].field == field {
			return &c.kids[i]
		}
	}
	return nil
}

// kid returns the first child of a kind, or nil.
func (c *cst) kid(kinds ...string) *cst {
	for i := range c.kids {
		for _, k := range kinds {
			if c.kids[i].kind == k {
				return &c.kids[i]
			}
		}
	}
	return nil
}

// named lists the named children, without comments.
func (c *cst) nameds() []*cst {
	var out []*cst
	for i := range c.kids {
		if k := &c.kids[i]; k.named && !isComment(k.kind) {
			out = append(out, k)
		}
	}
	return out
}

func isComment(kind string) bool {
	return kind == "comment" || kind == "line_comment" || kind == "block_comment"
}

// grammar is one tree-sitter language with its names read out once.
type grammar struct {
	lang   *sitter.Language
	kinds  []string
	named  []bool
	fields []string
}

func newGrammar(lang *sitter.Language) *grammar {
	g := &grammar{lang: lang}
	for id := range lang.NodeKindCount() {
		g.kinds = append(g.kinds, lang.NodeKindForId(uint16(id)))
		g.named = append(g.named, lang.NodeKindIsNamed(uint16(id)))
	}
	g.fields = append(g.fields, "")
	for id := uint32(1); id <= lang.FieldCount(); id++ {
		g.fields = append(g.fields, lang.FieldNameForId(uint16(id)))
	}
	return g
}

// parse reads text into a tree. The error is about the whole file; broken syntax
// is no error but is recorded in parsed.broken.
func (g *grammar) parse(text []byte) (*parsed, error) {
	if len(text) > maxBytes {
		return nil, errTooLarge
	}
	p := sitter.NewParser()
	defer p.Close()
	if err := p.SetLanguage(g.lang); err != nil {
		return nil, fmt.Errorf("set language: %w", err)
	}
	// The callback comes every hundred parser steps; ordinary code needs less
	// than two steps a byte, garbage in error recovery many more.
	calls, limit := 0, 2000+len(text)/5
	tree := p.ParseWithOptions(func(i int, _ sitter.Point) []byte {
		if i < len(text) {
			return text[i:]
		}
		return nil
	}, nil, &sitter.ParseOptions{ProgressCallback: func(sitter.ParseState) bool {
		calls++
		return calls > limit
	}})
	if tree == nil {
		return nil, errGaveUp
	}
	defer tree.Close()
	s := &parsed{text: text, lines: []uint{0}}
	for i, b := range text {
		if b == '\n' {
			s.lines = append(s.lines, uint(i)+1)
		}
	}
	cur := tree.Walk()
	defer cur.Close()
	g.read(cur, &s.root, 0)
	if tree.RootNode().HasError() {
		s.broken = firstBroken(s, &s.root)
	}
	return s, nil
}

// read copies the node under the cursor. Every question to the cursor is a call
// into C, so nothing is asked that is not used: punctuation is left out, and
// keywords and operators have no position.
func (g *grammar) read(cur *sitter.TreeCursor, c *cst, depth int) bool {
	n := cur.Node()
	id := n.KindId()
	if int(id) < len(g.kinds) {
		c.kind, c.named = g.kinds[id], g.named[id]
	} else {
		c.kind, c.named = "ERROR", true
	}
	if !c.named {
		if punctuation(c.kind) {
			return false
		}
		c.field = g.field(cur)
		return true
	}
	c.field = g.field(cur)
	c.start, c.end = n.StartByte(), n.EndByte()
	if depth > maxDepth || isComment(c.kind) || !cur.GotoFirstChild() {
		return true
	}
	for {
		c.kids = append(c.kids, cst{})
		if !g.read(cur, &c.kids[len(c.kids)-1], depth+1) {
			c.kids = c.kids[:len(c.kids)-1]
		}
		if !cur.GotoNextSibling() {
			break
		}
	}
	cur.GotoParent()
	return true
}

func (g *grammar) field(cur *sitter.TreeCursor) string {
	if f := cur.FieldId(); int(f) < len(g.fields) {
		return g.fields[f]
	}
	return ""
}

func punctuation(kind string) bool {
	switch kind {
	case "(", ")", ",", ":", ";", "{", "}", "[", "]", ".", "=", "=>", "->", "\"", "'", "`", "${", "?.", "def", "class", "if", "for", "while", "return", "try", "const", "let", "var", "new", "await", "import", "from", "in":
		return kind != "in" && kind != "=" // operators in some places
	}
	return false
}

func firstBroken(s *parsed, c *cst) int {
	if c.kind == "ERROR" {
		return s.line(c.start)
	}
	for i := range c.kids {
		if l := firstBroken(s, &c.kids[i]); l > 0 {
			return l
		}
	}
	if c == &s.root {
		return s.line(c.start)
	}
	return 0
}
