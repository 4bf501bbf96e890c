package results

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite generated documents")

const schemaDoc = "../docs/SCHEMA.md"

func TestSchemaDoc(t *testing.T) {
	want := SchemaMarkdown()
	if *update {
		if err := os.WriteFile(schemaDoc, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/SCHEMA.md differs from the columns' tags; rewrite it with: go test ./results -run TestSchemaDoc -update")
	}
}

func TestTables(t *testing.T) {
	files := make(map[string]bool)
	for _, table := range Tables() {
		if files[table.Name] {
			t.Errorf("table %s twice", table.Name)
		}
		files[table.Name] = true
		for _, c := range table.Columns {
			if strings.HasSuffix(c.Name, "_ns") != (c.Unit == "ns") && !strings.Contains(c.Name, "_ns_") {
				t.Errorf("%s.%s: unit %q does not go with the name", table.Name, c.Name, c.Unit)
			}
			if since, err := strconv.Atoi(c.Since); err != nil || since < 1 || since > SchemaVersion {
				t.Errorf("%s.%s: since %s, but the schema version is %d", table.Name, c.Name, c.Since, SchemaVersion)
			}
		}
	}
	for _, name := range []string{"cells", "trials", "services", "edges", "windows"} {
		if !files[name] {
			t.Errorf("no table %s", name)
		}
	}
}

// Row types with one mistake each.
type noDoc struct {
	A int64 `col:"a"`
}
type badName struct {
	A int64 `col:"A" doc:"x"`
}
type narrow struct {
	A int32 `col:"a" doc:"x"`
}
type twice struct {
	A int64 `col:"a" doc:"x"`
	B int64 `col:"a" doc:"x"`
}
type hidden struct {
	a int64 `col:"a" doc:"x"` //lint:ignore U1000 its tags are what is tested
}

func (noDoc) TableName() string   { return "tests" }
func (badName) TableName() string { return "tests" }
func (narrow) TableName() string  { return "tests" }
func (twice) TableName() string   { return "tests" }
func (hidden) TableName() string  { return "tests" }

func TestMistakesInTagsPanic(t *testing.T) {
	cases := []struct {
		call func() []Column
		want string
	}{
		{ColumnsOf[noDoc], "no doc tag"},
		{ColumnsOf[badName], "column name"},
		{ColumnsOf[narrow], "int32"},
		{ColumnsOf[twice], "twice"},
		{ColumnsOf[hidden], "exported"},
	}
	for _, c := range cases {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.Contains(r, c.want) {
					t.Errorf("panic %v, want %q in it", r, c.want)
				}
			}()
			c.call()
		}()
	}
}
