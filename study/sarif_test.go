package study_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"retrylab/study"
	"retrylab/study/finding"
)

// sarifSchema is the official schema of SARIF 2.1.0, see its README.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is written is valid SARIF, with much to say and with nothing.
func TestSARIFIsValidAgainstItsSchema(t *testing.T) {
	schema := sarifSchema(t)
	many := study.Advise([]finding.Finding{
		found("dir x/a%.go", 3, 5, func(f *finding.Finding) { f.TotalAttempts = 9 }),
		found("b/ä [1].py", 1, 1, func(f *finding.Finding) { f.SetUnlimited(finding.BoundNone, finding.SourceLiteral) }),
	})
	if len(many) < 2 {
		t.Fatalf("only %d pieces of advice", len(many))
	}
	for _, c := range []struct {
		list    []study.Advice
		notes   []string
		version string
	}{{many, []string{"left out"}, "1.2.3"}, {nil, nil, ""}} {
		var b bytes.Buffer
		if err := study.WriteSARIF(&b, c.list, c.notes, c.version); err != nil {
			t.Fatal(err)
		}
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(log); err != nil {
			t.Errorf("%d pieces of advice: %v", len(c.list), err)
		}
		// The schema is really asked: a region before the first line, and a property that SARIF does not know.
		for _, change := range [][2]string{{`"startLine": 3`, `"startLine": 0`}, {`"columnKind"`, `"colunmKind"`}} {
			broken := strings.Replace(b.String(), change[0], change[1], 1)
			if broken == b.String() {
				continue
			}
			if log, err = jsonschema.UnmarshalJSON(strings.NewReader(broken)); err != nil || schema.Validate(log) == nil {
				t.Errorf("%s passes for valid (%v)", change[1], err)
			}
		}
	}
}
