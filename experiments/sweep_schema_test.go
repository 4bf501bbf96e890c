package experiments_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"retrylab/experiments"
)

func sweepSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(experiments.SweepSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sweep.schema.json", tree); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("sweep.schema.json")
}

// obeys is nil if a file obeys the schema.
func obeys(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(tree)
}

// The embedded sweeps obey the schema.
func TestEmbeddedSweepsObeyTheSchema(t *testing.T) {
	schema := sweepSchema(t)
	files, err := filepath.Glob("sweeps/*.yaml")
	if err != nil || len(files) != len(experiments.Sweeps()) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := obeys(t, schema, text); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What the schema refuses the reader refuses too, and what the reader accepts the schema accepts.
func TestSchemaAndReaderAgree(t *testing.T) {
	schema := sweepSchema(t)
	const factor = "factors: [{name: a, path: services.A.servers, "
	for text, right := range map[string]bool{
		factor + "list: [1]}]": true,
		factor + "list: []}]":  false,
		factor + "list: [1], range: {from: 1, to: 2, step: 1}}]":                                                  false,
		factor + "list: [], range: {from: 1, to: 2, step: 1}}]":                                                   false,
		factor + "range: {from: 1, to: 2}}]":                                                                      false,
		factor + "range: {to: 2, step: 1}}]":                                                                      true,
		factor + "linspace: {from: 1, to: 2, n: 0}}]":                                                             false,
		factor + "linspace: {from: 1, to: 3, n: 3}}]":                                                             true,
		factor + "zip: []}]":                                                                                      false,
		factor + "list: [1]}]\nmodel: reference":                                                                  false,
		"factors: [{path: services.A.servers, list: [1]}]":                                                        false,
		"factors: [{name: A, path: services.A.servers, list: [1]}]":                                               false,
		"factors: [{name: a, levels: {}}]":                                                                        false,
		"factors: [{name: a, levels: {x: {}}}]":                                                                   true,
		"factors: [{name: a}]":                                                                                    false,
		"factors: [{zip: [{name: a, path: services.A.servers, list: [1]}]}]":                                      true,
		"factors: [{lhs: {n: 0, factors: [{name: a, path: services.A.servers, from: 1, to: 2}]}}]":                false,
		"factors: [{lhs: {n: 2, factors: []}}]":                                                                   false,
		"factors: [{sobol: {n: 2, factors: [{name: a, path: services.A.servers, from: 1, to: 9, whole: true}]}}]": true,
		"trials: -3":                       false,
		"trials: 0":                        false,
		"trials: 3":                        true,
		"until: {min: 3}":                  false,
		"until: {success: 0.1, min: 1}":    false,
		"until: {success: 0.1, raf: -1}":   false,
		"until: {success: 0.1}":            true,
		"trials: 3\nuntil: {success: 0.1}": false,
		"tables: [windows]":                true,
		"tables: [window]":                 false,
		"set: [1]":                         false,
		"seed: -1":                         false,
	} {
		text = sweepHead + text
		bySchema := obeys(t, schema, []byte(text))
		_, byReader := experiments.ParseSweep("x.yaml", ".", []byte(text), experiments.SweepChanges{})
		if (bySchema == nil) != right || (byReader == nil) != right {
			t.Errorf("%s\nthe schema says %v\nthe reader says %v", strings.TrimPrefix(text, sweepHead), bySchema, byReader)
		}
	}
	if err := obeys(t, schema, []byte("name: x")); err == nil {
		t.Error("a sweep without a model obeys the schema")
	}
}
