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
	left   []bool // out of the tree: punctuation
	fields []string
}

func newGrammar(lang *sitter.Language) *grammar {
	g := &grammar{lang: lang}
	for id := range lang.NodeKindCount() {
		kind, named := lang.NodeKindForId(uint16(id)), lang.NodeKindIsNamed(uint16(id))
		g.kinds, g.named, g.left = append(g.kinds, kind), append(g.named, named), append(g.left, !named && punctuation(kind))
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
	nodes, free := flatten(tree)
	defer free()
	if len(nodes) == 0 {
		return nil, errGaveUp
	}
	g.read(nodes, &s.root)
	if tree.RootNode().HasError() {
		s.broken = firstBroken(s, &s.root)
	}
	return s, nil
}

// read makes the first of the nodes, with what is below it. Punctuation is left out, keywords and operators have no position, and what
// is in comments is no code.
func (g *grammar) read(nodes []flat, c *cst) {
	n := &nodes[0]
	if int(n.kind) < len(g.kinds) {
		c.kind, c.named = g.kinds[n.kind], g.named[n.kind]
	} else {
		c.kind, c.named = "ERROR", true
	}
	if int(n.field) < len(g.fields) {
		c.field = g.fields[n.field]
	}
	if !c.named {
		return
	}
	c.start, c.end = uint(n.start), uint(n.end)
	if isComment(c.kind) {
		return
	}
	kept := 0
	for at := 1; at < len(nodes); at += int(nodes[at].size) {
		if !g.leaves(&nodes[at]) {
			kept++
		}
	}
	if kept == 0 {
		return
	}
	c.kids = make([]cst, kept)
	kid := 0
	for at := 1; at < len(nodes); at += int(nodes[at].size) {
		if !g.leaves(&nodes[at]) {
			g.read(nodes[at:at+int(nodes[at].size)], &c.kids[kid])
			kid++
		}
	}
}

// leaves tells whether a node is left out.
func (g *grammar) leaves(n *flat) bool { return int(n.kind) < len(g.left) && g.left[n.kind] }

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
