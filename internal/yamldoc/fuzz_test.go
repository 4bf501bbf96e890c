package yamldoc_test

import (
	"reflect"
	"strings"
	"testing"

	"retrylab/internal/yamldoc"
)

// FuzzDecode: no text makes the reader panic, a problem names its file, and what is read without
// problems survives writing and reading.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		plot, "", "a", "- 1", "name: &a [*a]", "<<: {sun: 1}", "beds: [{water: {kind: hose, on: [1]}}]",
		"a: &a {b: 1}\nc: {<<: [*a, *a]}", "name: !!binary aGk=", "season: -1h", "sun: 1e400", "seed: 0b11", "%YAML 1.2\n---\nname: x\n...",
		"? a\n: b", "? {a: b}\n: c", "name: |\n  x\n  y", "fence:", "beds: [[[[]]]]", "\xff\xfe", "tags: [2001-01-01, <<, ~]", bomb(),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, problems := yamldoc.Parse("g.yaml", []byte(text))
		if n == nil {
			if len(problems) == 0 {
				t.Fatal("neither a tree nor a problem")
			}
			return
		}
		g := newGarden()
		problems = append(problems, types().Decode(n, &g)...)
		for _, p := range problems {
			if p.File != "g.yaml" || p.Text == "" {
				t.Fatalf("problem without a place or text: %+v", p)
			}
		}
		if len(problems) > 0 || strings.Contains(text, "\r") {
			return
		}
		again := newGarden()
		back, problems := yamldoc.Parse("again", types().Encode(g).YAML())
		problems = append(problems, types().Decode(back, &again)...)
		if len(problems) > 0 || !reflect.DeepEqual(g, again) {
			t.Fatalf("%v\n%+v\n%+v", problems, g, again)
		}
	})
}

// FuzzSet: no path makes Set, Get or Locate panic, and a value that Set accepts is a value that Get finds.
func FuzzSet(f *testing.F) {
	for _, path := range []string{"sun", "beds[0].plants", "beds.*.water.litres", "beds[", "...", "[0]", "beds[1].paths.gate.to", "fence.height"} {
		f.Add(path, "1")
	}
	f.Add("beds[0].water", "{kind: hose, every: 1s}")
	f.Fuzz(func(t *testing.T, path, value string) {
		n, _ := yamldoc.Parse("g.yaml", []byte(plot))
		v, problems := yamldoc.ParseValue("--set", value)
		if len(problems) > 0 {
			return
		}
		n.Locate(path)
		if types().Set(n, newGarden(), path, v) != nil {
			return
		}
		g := newGarden()
		if len(types().Decode(n, &g)) > 0 || strings.Contains(path, "*") || strings.HasSuffix(path, "kind") || strings.HasSuffix(path, "kind]") {
			return
		}
		if _, err := yamldoc.Get(g, path); err != nil && !strings.Contains(err.Error(), "name") {
			t.Fatalf("%s=%s was set but cannot be read: %v", path, value, err)
		}
	})
}
