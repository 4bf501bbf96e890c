package confscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseJSON reads JSON into the same kind of tree as YAML, with line numbers.
func parseJSON(text []byte) (*yaml.Node, error) {
	p := &jsonReader{dec: json.NewDecoder(bytes.NewReader(text))}
	p.dec.UseNumber()
	for i, b := range text {
		if b == '\n' {
			p.lines = append(p.lines, int64(i))
		}
	}
	return p.value(0)
}

type jsonReader struct {
	dec   *json.Decoder
	lines []int64 // offsets of the line ends
}

// line is the number of the line the last token ends in.
func (p *jsonReader) line() int {
	at := p.dec.InputOffset() - 1
	return 1 + sort.Search(len(p.lines), func(i int) bool { return p.lines[i] >= at })
}

func (p *jsonReader) value(depth int) (*yaml.Node, error) {
	t, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxNesting {
		return nil, fmt.Errorf("nested deeper than %d", maxNesting)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: p.line()}
	switch t := t.(type) {
	case json.Delim:
		n.Kind = yaml.MappingNode
		if t == '[' {
			n.Kind = yaml.SequenceNode
		}
		for p.dec.More() {
			if n.Kind == yaml.MappingNode {
				k, err := p.dec.Token()
				if err != nil {
					return nil, err
				}
				n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(k), Line: p.line()})
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, v)
		}
		_, err = p.dec.Token()
		return n, err
	case string:
		n.Value = t
	case nil:
		n.Value = ""
	default:
		n.Value = fmt.Sprint(t)
	}
	return n, nil
}

var templateExpr = regexp.MustCompile(`\{\{[^\n]*?\}\}`)

// plainTemplate makes a Helm or Jinja template readable as YAML: lines that
// hold only a directive are emptied, expressions inside lines become a word.
func plainTemplate(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "{{") && strings.HasSuffix(trimmed, "}}") && strings.Count(trimmed, "{{") == 1,
			strings.HasPrefix(trimmed, "{%"):
			out.WriteByte('\n')
		default:
			out.WriteString(templateExpr.ReplaceAllString(line, "templated"))
		}
	}
	return out.String()
}
