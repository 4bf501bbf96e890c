package yamldoc_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab/internal/yamldoc"
)

func TestEncodeLeavesOutDefaults(t *testing.T) {
	g := newGarden()
	g.Open = false
	wet := defaultHose()
	wet.On = nil
	g.Beds = []bed{{Name: "bed", Plants: 3, Water: dry{}}, {Name: "1", Plants: 3, Water: wet, Paths: []route{{To: "no"}}}}
	got := string(types().Encode(g).YAML())
	want := `open: false
beds:
  - {}
  - name: "1"
    water: {kind: hose, on: []}
    paths:
      - {to: "no"}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCanonicalIgnoresOrderAndStyle(t *testing.T) {
	a, _ := yamldoc.Parse("a", []byte("name: x\nbeds: [{plants: 1, name: y}]"))
	b, _ := yamldoc.Parse("b", []byte("beds:\n  - name: \"y\"\n    plants: 1\nname: 'x'"))
	c, _ := yamldoc.Parse("c", []byte("beds:\n  - name: \"y\"\n    plants: \"1\"\nname: 'x'"))
	if string(a.Canonical()) != string(b.Canonical()) {
		t.Errorf("%s and %s differ", a.Canonical(), b.Canonical())
	}
	if string(a.Canonical()) == string(c.Canonical()) {
		t.Error("a number and a text are the same")
	}
}

// gardens draws any garden that a file can describe.
func gardens() *rapid.Generator[garden] {
	text := rapid.StringOf(rapid.RuneFrom([]rune("ab1 .:#-_'\"\n\t{}[]&*!|>%@`~é☃yesno<="))).Filter(func(s string) bool { return !strings.Contains(s, "\t\n") })
	duration := rapid.Map(rapid.Int64(), func(i int64) time.Duration { return time.Duration(i) })
	return rapid.Custom(func(t *rapid.T) garden {
		g := garden{
			Name: text.Draw(t, "name"), Sun: rapid.Float64().Filter(finite).Draw(t, "sun"), Seed: rapid.Uint64().Draw(t, "seed"),
			Size: rapid.Int8().Draw(t, "size"), Open: rapid.Bool().Draw(t, "open"), Season: duration.Draw(t, "season"),
			Tags: rapid.SliceOfN(text, 0, 3).Draw(t, "tags"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "beds") {
			b := bed{Name: text.Draw(t, "bed"), Plants: rapid.Int().Draw(t, "plants"), Water: dry{}}
			if rapid.Bool().Draw(t, "wet") {
				b.Water = hose{Timing: Timing{Every: duration.Draw(t, "every"), On: rapid.SliceOfN(rapid.Int(), 0, 2).Draw(t, "on")}, Litres: rapid.Float64().Filter(finite).Draw(t, "litres")}
			}
			g.Beds = append(g.Beds, b)
		}
		if rapid.Bool().Draw(t, "fenced") {
			g.Fence = &fence{Height: rapid.Float64().Filter(finite).Draw(t, "height")}
		}
		return normal(g)
	})
}

func finite(f float64) bool { return f-f == 0 }

// normal makes empty lists nil, as decoding does.
func normal(g garden) garden {
	if len(g.Tags) == 0 {
		g.Tags = nil
	}
	for i, b := range g.Beds {
		if h, ok := b.Water.(hose); ok && len(h.On) == 0 {
			h.On = nil
			g.Beds[i].Water = h
		}
	}
	return g
}

func TestDecodeOfEncodeIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := gardens().Draw(t, "garden")
		text := types().Encode(want).YAML()
		n, problems := yamldoc.Parse("g.yaml", text)
		got := newGarden()
		problems = append(problems, types().Decode(n, &got)...)
		if len(problems) > 0 {
			t.Fatalf("%v\n%s", problems, text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, want, text)
		}
	})
}
