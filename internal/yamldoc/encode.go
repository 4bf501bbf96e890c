package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Encode writes a struct, leaving out what equals its default: decoding the result into
// the default of v's type gives v again.
func (t *Types) Encode(v any) *Node {
	value := reflect.ValueOf(v)
	return encoder{types: t}.structNode(value, t.start(value.Type()), "")
}

// EncodeAll writes a struct with all its fields, so that a reader sees the defaults.
func (t *Types) EncodeAll(v any) *Node {
	value := reflect.ValueOf(v)
	return encoder{types: t, all: true}.structNode(value, t.start(value.Type()), "")
}

type encoder struct {
	types *Types
	all   bool // write what equals its default too
}

// structNode writes the fields that differ from base; kind, if any, comes first.
func (e encoder) structNode(v, base reflect.Value, kind string) *Node {
	n := &Node{Kind: Map}
	if kind != "" {
		n.Put("kind", String(kind))
	}
	for _, f := range fields(v.Type()) {
		inner, start := v.FieldByIndex(f.index), base.FieldByIndex(f.index)
		if !equal(inner, start) || e.all && inner.Kind() != reflect.Pointer {
			n.Put(f.name, e.node(inner, start))
		}
	}
	if kind != "" && len(n.Keys) == 1 {
		return String(kind)
	}
	return n
}

func (e encoder) node(v, base reflect.Value) *Node {
	if v.Type() == nodeType {
		return v.Interface().(*Node).Clone()
	}
	switch v.Kind() {
	case reflect.Struct:
		return e.structNode(v, base, "")
	case reflect.Slice:
		n := &Node{Kind: List}
		for i := range v.Len() {
			n.Items = append(n.Items, e.node(v.Index(i), e.types.start(v.Type().Elem())))
		}
		return n
	case reflect.Interface:
		u := e.types.unions[v.Type()]
		if v.IsNil() || u == nil {
			panic(fmt.Sprintf("yamldoc: cannot write a %v that is nil or not registered", v.Type()))
		}
		kind := u.name(v.Interface())
		start, ok := u.startOf(kind)
		if !ok || start.Type() != v.Elem().Type() {
			panic(fmt.Sprintf("yamldoc: %v of kind %q is not in the catalog", v.Elem().Type(), kind))
		}
		return e.structNode(v.Elem(), start, kind)
	case reflect.Pointer:
		return e.node(v.Elem(), e.types.start(v.Type().Elem()))
	}
	return scalarNode(v)
}

// equal treats an absent and an empty list as one.
func equal(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// YAML is n as text that Parse reads back.
func (n *Node) YAML() []byte {
	var b bytes.Buffer
	out := yaml.NewEncoder(&b)
	out.SetIndent(2)
	err := out.Encode(n.library())
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		panic(err) // only a broken tree can cause it
	}
	return b.Bytes()
}

// library is n as the YAML library's tree.
func (n *Node) library() *yaml.Node {
	y := &yaml.Node{}
	switch n.Kind {
	case Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case Scalar:
		y.Kind, y.Tag, y.Value = yaml.ScalarNode, n.Tag, n.Text
		if n.Tag == "!!str" && needsQuotes(n.Text) {
			y.Style = yaml.DoubleQuotedStyle
		}
	case Map:
		y.Kind = yaml.MappingNode
		for i, key := range n.Keys {
			k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
			y.Content = append(y.Content, k, n.Items[i].library())
		}
	case List:
		y.Kind = yaml.SequenceNode
		for _, item := range n.Items {
			y.Content = append(y.Content, item.library())
		}
	}
	if n.Kind != Scalar && n.flow() {
		y.Style = yaml.FlowStyle
	}
	return y
}

// needsQuotes tells whether a text is safe only in quotes: where the library's own choice does not
// read back (white space before a line break), and the words that older YAML readers take for truth values.
func needsQuotes(text string) bool {
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return strings.ContainsFunc(text, unicode.IsControl)
}

// flow tells whether a list or map is short enough for one line: few scalars and nothing nested.
func (n *Node) flow() bool {
	size := 0
	for i, item := range n.Items {
		if item.Kind != Scalar && len(item.Items) > 0 {
			return false
		}
		size += len(item.Text) + 2
		if n.Kind == Map {
			size += len(n.Keys[i]) + 2
		}
	}
	return size <= 72
}

// Canonical is n as text for hashing: equal for trees that differ only in the order of keys,
// in style, or in where they were written.
func (n *Node) Canonical() []byte { return n.canonical(nil) }

func (n *Node) canonical(b []byte) []byte {
	switch n.Kind {
	case Map:
		order := slices.Sorted(slices.Values(n.Keys))
		b = append(b, '{')
		for _, key := range order {
			b = append(appendQuoted(b, key), ':')
			b = append(n.Get(key).canonical(b), ',')
		}
		return append(b, '}')
	case List:
		b = append(b, '[')
		for _, item := range n.Items {
			b = append(item.canonical(b), ',')
		}
		return append(b, ']')
	case Scalar:
		if n.Tag == "!!str" {
			return appendQuoted(b, n.Text)
		}
		return append(b, n.Text...)
	}
	return append(b, "null"...)
}

func appendQuoted(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return append(b, q...)
}
