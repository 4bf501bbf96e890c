package yamldoc_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"retrylab/internal/yamldoc"
)

func decode(t *testing.T, text string) (garden, yamldoc.Problems) {
	t.Helper()
	g := newGarden()
	n, problems := yamldoc.Parse("g.yaml", []byte(text))
	if n == nil {
		return g, problems
	}
	return g, append(problems, types().Decode(n, &g)...)
}

func TestDecodeOverlaysDefaults(t *testing.T) {
	got, problems := decode(t, `
name: plot
seed: 18446744073709551615
season: 1m30s
tags: [a, "1"]
fence: {}
beds:
  - &first {name: herbs, water: hose}
  - plants: 1_000
    water:
      kind: hose
      litres: 1e2
      on: [4, -5]
    paths: [{to: herbs, metres: 7}]
  - <<: *first
    plants: 9
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	wet := defaultHose()
	wet.Litres, wet.On = 100, []int{4, -5}
	want := garden{Name: "plot", Sun: 0.5, Seed: 1<<64 - 1, Open: true, Season: 90 * time.Second, Tags: []string{"a", "1"},
		Fence: &fence{Height: 1.5},
		Beds: []bed{
			{Name: "herbs", Plants: 3, Water: defaultHose()},
			{Name: "bed", Plants: 1000, Water: wet, Paths: []route{{"herbs", 7}}},
			{Name: "herbs", Plants: 9, Water: defaultHose()},
		}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDecodeReportsEverything(t *testing.T) {
	_, problems := decode(t, `name: 5
snu: 0.7
sun: .nan
seed: -1
size: 200
open: yes
season: 90
tags: a
fence: 3
beds:
  - plants: 1.5
    secret: 3
    water: hsoe
  - water: {litres: 2}
  - water: {kind: dry, litres: 2}
  - water: {kind: hose, litter: .inf, every: 1 hour}
  - paths: {to: x}
  - water: []
  - name:
  - paths:
      - metres: 0x10
      - metres: 99999999999999999999
      - metres: true
`)
	want := strings.TrimSpace(`
g.yaml:1: name: got the number 5, expected text (put it in quotes)
g.yaml:2: snu: unknown key, did you mean "sun"?
g.yaml:3: sun: got the number .nan, expected a finite number in decimal digits
g.yaml:4: seed: got the number -1, expected a whole number not below 0 in decimal digits
g.yaml:5: size: got the number 200, expected a whole number between -128 and 127
g.yaml:6: open: got the text "yes", expected true or false
g.yaml:7: season: got the bare number 90, expected a duration with its unit such as "100ms", "1.5s" or "0s"
g.yaml:8: tags: got the text "a", expected a list, each item text
g.yaml:9: fence: got the number 3, expected a mapping of height
g.yaml:11: beds[0].plants: got the number 1.5, expected a whole number
g.yaml:12: beds[0].secret: unknown key, expected one of name, plants, water, paths
g.yaml:13: beds[0].water: unknown watering "hsoe", did you mean "hose"? expected one of dry, hose
g.yaml:14: beds[1].water: has no key "kind", expected one of dry, hose
g.yaml:15: beds[2].water.litres: unknown key, expected none here
g.yaml:16: beds[3].water.litter: unknown key, did you mean "litres"?
g.yaml:16: beds[3].water.every: got the text "1 hour", expected a duration with its unit such as "100ms", "1.5s" or "0s"
g.yaml:17: beds[4].paths: got a mapping, expected a list, each item a mapping of to, metres
g.yaml:18: beds[5].water: got a list, expected a watering: its kind, or a mapping with the key "kind"
g.yaml:19: beds[6].name: has no value, expected text
g.yaml:21: beds[7].paths[0].metres: got the number 0x10, expected a whole number in decimal digits
g.yaml:22: beds[7].paths[1].metres: got the number 99999999999999999999, expected a whole number between -9223372036854775808 and 9223372036854775807
g.yaml:23: beds[7].paths[2].metres: got the truth value true, expected a whole number`)
	compareLines(t, problems.Error(), want)
}

// TestDurationBelowOneNanosecond: it would become zero, which often means without limit.
func TestDurationBelowOneNanosecond(t *testing.T) {
	_, problems := decode(t, "season: 0.4ns")
	compareLines(t, problems.Error(), `g.yaml:1: season: got the text "0.4ns", shorter than 1ns, expected a duration with its unit such as "100ms", "1.5s" or "0s"`)
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `g.yaml:1: is empty, expected a YAML mapping`},
		{"syntax", "a: [1\nb: 2", `g.yaml:1: is not valid YAML: did not find expected ',' or ']'`},
		{"twice", "name: a\nsun: 1\nname: b", `g.yaml:3: key "name" is given twice, expected once (first on line 1)`},
		{"cycle", "name: &a\n  - *a", `g.yaml:2: alias *a stands inside what it names, expected no cycle`},
		{"no anchor", "name: *a", `g.yaml: is not valid YAML: unknown anchor 'a' referenced`},
		{"merge of a word", "<<: x", `g.yaml:1: the merge key << got the text "x", expected a mapping or a list of mappings`},
		{"key", "? [a]\n: b", `g.yaml:1: a key is a list or a mapping, expected text`},
		{"tag", "name: !secret x", `g.yaml:1: tag !secret is not supported, expected plain text, numbers, true or false`},
		{"tagged map", "!thing {name: a}", `g.yaml:1: tag !thing is not supported, expected none`},
		{"two documents", "name: a\n---\nname: b", `g.yaml:2: a second document begins here, expected one document a file`},
		{"deep", strings.Repeat("[", 100) + strings.Repeat("]", 100),
			`g.yaml:1: is too large with its aliases followed, expected at most 100000 values nested at most 64 deep`},
		{"aliases that explode", bomb(),
			`g.yaml:1: is too large with its aliases followed, expected at most 100000 values nested at most 64 deep`},
		{"large", strings.Repeat("# and on\n", yamldoc.MaxBytes/8), `g.yaml: is too large, expected at most 4194304 bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := yamldoc.Parse("g.yaml", []byte(c.text))
			compareLines(t, problems.Error(), c.want)
		})
	}
}

// bomb is a file of a few hundred bytes that stands for 10^9 values.
func bomb() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		prev := "*a" + string(rune('0'+i-1))
		text += "a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat(prev+", ", 9) + prev + "]\n"
	}
	return text
}

func TestZeroDurationNeedsNoUnit(t *testing.T) {
	for _, text := range []string{"season: 0", "season: 0s", `season: "0"`, "season: 0.0"} {
		if got, problems := decode(t, text); len(problems) > 0 || got.Season != 0 {
			t.Errorf("%s: got %v, %v", text, got.Season, problems)
		}
	}
}

func TestProblemWithoutAPlace(t *testing.T) {
	p := yamldoc.Problem{File: "--set a", Text: "wrong"}
	if got := p.String(); got != "--set a: wrong" {
		t.Error(got)
	}
	if yamldoc.Problems(nil).Err() != nil {
		t.Error("no problems are an error")
	}
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("line %d\ngot  %s\nwant %s", i+1, a, b)
		}
	}
}
