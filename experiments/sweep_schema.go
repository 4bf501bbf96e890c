package experiments

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"retrylab/internal/yamldoc"
)

// schemaNode is a part of a JSON Schema; its fields are in the order in which they are written.
type schemaNode struct {
	Schema      string        `json:"$schema,omitempty"`
	Title       string        `json:"title,omitempty"`
	Ref         string        `json:"$ref,omitempty"`
	Description string        `json:"description,omitempty"`
	Type        string        `json:"type,omitempty"`
	Items       *schemaNode   `json:"items,omitempty"`
	Properties  *schemaFields `json:"properties,omitempty"`
	// Additional is false for mappings whose keys are all known.
	Additional *bool `json:"additionalProperties,omitempty"`
	// The rest are limits: of numbers, of what is in lists and mappings, and of texts.
	Minimum       *float64      `json:"minimum,omitempty"`
	Maximum       *float64      `json:"maximum,omitempty"`
	MinItems      *float64      `json:"minItems,omitempty"`
	MaxItems      *float64      `json:"maxItems,omitempty"`
	MinProperties *float64      `json:"minProperties,omitempty"`
	Pattern       string        `json:"pattern,omitempty"`
	Enum          []string      `json:"enum,omitempty"`
	Required      []string      `json:"required,omitempty"`
	OneOf         []*schemaNode `json:"oneOf,omitempty"`
	AnyOf         []*schemaNode `json:"anyOf,omitempty"`
	Not           *schemaNode   `json:"not,omitempty"`
	Defs          *schemaFields `json:"$defs,omitempty"`
}

// limit sets what a tag schema says, e.g. minimum=1; several are separated by white space.
func (n *schemaNode) limit(tag string) {
	for _, rule := range strings.Fields(tag) {
		key, value, _ := strings.Cut(rule, "=")
		number := map[string]**float64{"minimum": &n.Minimum, "maximum": &n.Maximum, "minItems": &n.MinItems, "maxItems": &n.MaxItems, "minProperties": &n.MinProperties}[key]
		switch {
		case number != nil:
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				panic(err) // a tag of this package
			}
			*number = &x
		case key == "type":
			n.Type = value
		case key == "name":
			n.Pattern = factorName.String()
		case key == "enum":
			n.Items.Enum = strings.Split(value, "|")
		default:
			panic("experiments: unknown rule of a schema: " + rule)
		}
	}
}

// eachRequired are schemas that ask for one key each.
func eachRequired(keys ...string) []*schemaNode {
	var list []*schemaNode
	for _, key := range keys {
		list = append(list, &schemaNode{Required: []string{key}})
	}
	return list
}

// combine says which keys a mapping must have, and which not together.
func (n *schemaNode) combine(t reflect.Type) {
	switch t {
	case reflect.TypeFor[sweepFile]():
		n.OneOf = eachRequired("model", "base")
		n.Not = &schemaNode{Required: []string{"trials", "until"}}
	case reflect.TypeFor[untilFile]():
		n.AnyOf = eachRequired("success", "raf", "collapse")
	case reflect.TypeFor[factorFile]():
		n.OneOf = eachRequired(waysOfLevels...)
		n.AnyOf = eachRequired("name", "zip", "lhs", "sobol")
	case reflect.TypeFor[stepsFile]():
		n.Required = []string{"step"}
	case reflect.TypeFor[spaceFile]():
		n.Required = []string{"n"}
	case reflect.TypeFor[sampleFile]():
		n.Required = []string{"n", "factors"}
	case reflect.TypeFor[boxFile]():
		n.Required = []string{"name"}
		n.AnyOf = eachRequired("path", "paths")
	}
}

// schemaFields are named parts in a fixed order.
type schemaFields struct {
	names []string
	parts []*schemaNode
}

// MarshalJSON writes the parts in their order.
func (f *schemaFields) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, name := range f.names {
		if i > 0 {
			out.WriteByte(',')
		}
		part, err := json.Marshal(f.parts[i])
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(part)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (f *schemaFields) add(name string, part *schemaNode) {
	f.names, f.parts = append(f.names, name), append(f.parts, part)
}

// SweepSchema is docs/sweep.schema.json: the JSON Schema of sweep files, for editors. The reader itself is stricter: it
// also checks what a schema cannot say.
func SweepSchema() []byte {
	g := &schemaMaker{defs: &schemaFields{}, seen: map[reflect.Type]bool{}}
	root := g.structure(reflect.TypeFor[sweepFile]())
	root.Schema, root.Title, root.Defs = "https://json-schema.org/draft/2020-12/schema", "A sweep of retrylab", g.defs
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // it is made of texts
	}
	return append(text, '\n')
}

type schemaMaker struct {
	defs *schemaFields
	seen map[reflect.Type]bool
}

// structure describes a struct by its tags.
func (g *schemaMaker) structure(t reflect.Type) *schemaNode {
	no := false
	n := &schemaNode{Type: "object", Properties: &schemaFields{}, Additional: &no}
	for i := range t.NumField() {
		f := t.Field(i)
		part := g.value(f.Type)
		part.Description = f.Tag.Get("doc")
		part.limit(f.Tag.Get("schema"))
		n.Properties.add(f.Tag.Get("yaml"), part)
	}
	n.combine(t)
	return n
}

// value describes a field's type. Structs become definitions, since factors contain factors.
func (g *schemaMaker) value(t reflect.Type) *schemaNode {
	if t == reflect.TypeFor[*yamldoc.Node]() {
		return &schemaNode{} // any value
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem())
	case reflect.Slice:
		return &schemaNode{Type: "array", Items: g.value(t.Elem())}
	case reflect.Struct:
		name := strings.TrimSuffix(t.Name(), "File")
		if !g.seen[t] {
			g.seen[t] = true
			place := len(g.defs.names)
			g.defs.add(name, nil)
			g.defs.parts[place] = g.structure(t)
		}
		return &schemaNode{Ref: "#/$defs/" + name}
	case reflect.Bool:
		return &schemaNode{Type: "boolean"}
	case reflect.Int, reflect.Uint64:
		return &schemaNode{Type: "integer"}
	case reflect.Float64:
		return &schemaNode{Type: "number"}
	}
	return &schemaNode{Type: "string"}
}
