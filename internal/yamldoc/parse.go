package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a file. They are far above any model and keep a hostile file from using up memory.
const (
	MaxBytes = 4 << 20 // size of a file
	maxNodes = 100_000 // values in it, aliases expanded
	maxDepth = 64      // nesting
)

// ReadFile reads the file of that name, as much of it as Parse accepts; "-" is standard input.
func ReadFile(name string) ([]byte, error) {
	var in io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, MaxBytes+1))
}

// Parse reads one YAML document; file is its name in messages. With problems the tree is
// what could be read, or nil.
func Parse(file string, data []byte) (*Node, Problems) {
	if len(data) > MaxBytes {
		return nil, Problems{{File: file, Text: fmt.Sprintf("is too large, expected at most %d bytes", MaxBytes)}}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, Problems{{File: file, Line: 1, Text: "is empty, expected a YAML mapping"}}
		}
		return nil, Problems{syntaxProblem(file, err)}
	}
	p := &parser{file: file}
	root := p.node(doc.Content[0], 0)
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case err == nil:
		p.add(second.Line, "", "a second document begins here, expected one document a file")
	case !errors.Is(err, io.EOF):
		p.problems = append(p.problems, syntaxProblem(file, err))
	}
	p.problems.Sort()
	return root, p.problems
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(?s:(.*))$`)

// syntaxProblem takes the line number out of the library's message.
func syntaxProblem(file string, err error) Problem {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return Problem{File: file, Text: err.Error()}
	}
	line, _ := strconv.Atoi(m[1])
	return Problem{File: file, Line: line, Text: "is not valid YAML: " + m[2]}
}

// parser copies the library's tree into ours.
type parser struct {
	file     string
	count    int
	problems Problems
	open     []*yaml.Node // aliases being followed
	full     bool         // the limit on nodes was reported
}

func (p *parser) add(line int, path, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.file, line, path, fmt.Sprintf(format, args...)})
}

func (p *parser) node(y *yaml.Node, depth int) *Node {
	n := &Node{File: p.file, Line: y.Line}
	p.count++
	if p.count > maxNodes || depth > maxDepth {
		if !p.full {
			p.full = true
			p.add(y.Line, "", "is too large with its aliases followed, expected at most %d values nested at most %d deep", maxNodes, maxDepth)
		}
		return n
	}
	switch y.Kind {
	case yaml.AliasNode:
		return p.alias(y, depth)
	case yaml.ScalarNode:
		p.scalar(y, n)
	case yaml.SequenceNode:
		n.Kind = List
		p.tag(y, "!!seq")
		for _, item := range y.Content {
			n.Items = append(n.Items, p.node(item, depth+1))
		}
	case yaml.MappingNode:
		n.Kind = Map
		p.tag(y, "!!map")
		p.mapping(y, n, depth)
	}
	return n
}

// alias copies what an alias names. A copy, so that changing it leaves the original alone.
func (p *parser) alias(y *yaml.Node, depth int) *Node {
	for _, open := range p.open {
		if open == y.Alias {
			p.add(y.Line, "", "alias *%s stands inside what it names, expected no cycle", y.Value)
			return &Node{File: p.file, Line: y.Line}
		}
	}
	p.open = append(p.open, y.Alias)
	n := p.node(y.Alias, depth+1)
	p.open = p.open[:len(p.open)-1]
	return n
}

func (p *parser) scalar(y *yaml.Node, n *Node) {
	n.Kind, n.Text, n.Tag = Scalar, y.Value, y.ShortTag()
	switch n.Tag {
	case "!!str", "!!int", "!!float", "!!bool":
	case "!!null":
		n.Kind, n.Tag, n.Text = Null, "", ""
	case "!!timestamp", "!!merge": // only a date or << in a place where neither means anything
		n.Tag = "!!str"
	default:
		p.add(y.Line, "", "tag %s is not supported, expected plain text, numbers, true or false", n.Tag)
		n.Tag = "!!str"
	}
}

func (p *parser) tag(y *yaml.Node, want string) {
	if got := y.ShortTag(); got != want {
		p.add(y.Line, "", "tag %s is not supported, expected none", got)
	}
}

// mapping copies the pairs; keys that a merge key brings in come last and give way to the map's own.
func (p *parser) mapping(y *yaml.Node, n *Node, depth int) {
	lines := map[string]int{}
	var merges []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode && key.Alias != nil {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			p.add(key.Line, "", "a key is a list or a mapping, expected text")
			continue
		}
		if key.ShortTag() == "!!merge" {
			merges = append(merges, value)
			continue
		}
		if line, seen := lines[key.Value]; seen {
			p.add(key.Line, "", "key %q is given twice, expected once (first on line %d)", key.Value, line)
			continue
		}
		lines[key.Value] = key.Line
		child := p.node(value, depth+1)
		if child.Kind != Scalar && value.Kind != yaml.AliasNode {
			child.Line = key.Line // a nested value is found by its name
		}
		n.Keys = append(n.Keys, key.Value)
		n.Items = append(n.Items, child)
	}
	for _, m := range merges {
		p.merge(m, n, depth)
	}
}

func (p *parser) merge(y *yaml.Node, into *Node, depth int) {
	from := p.node(y, depth+1)
	sources := []*Node{from}
	if from.Kind == List {
		sources = from.Items
	}
	for _, s := range sources {
		if s.Kind != Map {
			p.add(y.Line, "", "the merge key << %s, expected a mapping or a list of mappings", s.describe())
			continue
		}
		for i, key := range s.Keys {
			if into.Get(key) == nil {
				into.Put(key, s.Items[i])
			}
		}
	}
}

// ParseValue reads a value given on a command line; origin names the option in messages.
func ParseValue(origin, text string) (*Node, Problems) {
	if strings.TrimSpace(text) == "" {
		return String("").Moved(origin, 0), nil
	}
	n, problems := Parse(origin, []byte(text))
	if n != nil {
		n.Moved(origin, 0)
	}
	for i := range problems {
		problems[i].Line = 0
	}
	return n, problems
}

func quote(s string) string { return strconv.Quote(s) }
