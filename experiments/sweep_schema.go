package experiments

import (
	"bytes"
	"encoding/json"
	"reflect"
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
	Additional *bool         `json:"additionalProperties,omitempty"`
	Defs       *schemaFields `json:"$defs,omitempty"`
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
		n.Properties.add(f.Tag.Get("yaml"), part)
	}
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
