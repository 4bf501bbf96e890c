package yamldoc_test

import (
	"strings"
	"testing"

	"retrylab/internal/yamldoc"
)

const plot = `
name: plot
beds:
  - name: herbs
    water: {kind: hose, litres: 1}
  - plants: 2
    paths: [{to: herbs, metres: 7}, {to: gate}]
  - water: hose
`

// set changes one value of plot and decodes the result.
func set(t *testing.T, path, value string) (garden, error) {
	t.Helper()
	n, problems := yamldoc.Parse("g.yaml", []byte(plot))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	v, problems := yamldoc.ParseValue("--set "+path+"="+value, value)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	g := newGarden()
	if err := types().Set(n, g, path, v); err != nil {
		return g, err
	}
	return g, types().Decode(n, &g).Err()
}

func TestSetThenGet(t *testing.T) {
	for _, c := range []struct {
		path, value string
		want        any
	}{
		{"sun", "0.25", 0.25},
		{"beds[0].plants", "12", 12},
		{"beds.herbs.plants", "12", 12},
		{"beds[herbs].water.litres", "3.5", 3.5},
		{"beds.bed.paths.gate.metres", "4", 4}, // "bed" is the name that an unnamed bed has by default
		{"beds[2].water.litres", "8", 8.0},
		{"beds[1].paths[0]", "{to: pond}", route{To: "pond"}},
		{"beds[1].water", "hose", defaultHose()},
		{"beds[0].water.kind", "dry", dry{}},
		{"fence.height", "2", 2.0},
		{"tags", "[x]", nil},
	} {
		g, err := set(t, c.path, c.value)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		got, err := yamldoc.Get(g, strings.TrimSuffix(c.path, ".kind"))
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if w, ok := c.want.(water); ok {
			if got.(water).kind() != w.kind() {
				t.Errorf("%s: got %v, want %v", c.path, got, w)
			}
		} else if c.want != nil && got != c.want {
			t.Errorf("%s: got %v, want %v", c.path, got, c.want)
		}
	}
}

func TestSetEvery(t *testing.T) {
	g, err := set(t, "beds[*].plants", "6")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range g.Beds {
		if b.Plants != 6 {
			t.Errorf("bed %d has %d plants", i, b.Plants)
		}
	}
}

func TestSetReports(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"bedz[0].plants", "1", `path "bedz": does not exist, did you mean "beds"?`},
		{"beds.hrebs.plants", "1", `path "beds.hrebs": no item has this name, did you mean "herbs"?`},
		{"beds.x.plants", "1", `path "beds.x": no item has this name, expected one of herbs, bed, bed, or a position below 3`},
		{"beds[7].plants", "1", `path "beds[7]": does not exist, the list has 3 items`},
		{"beds[0].plants.more", "1", `path "beds[0].plants.more": does not exist, "beds[0].plants" is a single value`},
		{"beds[1].water.litres", "1", `path "beds[1].water.litres": does not exist, there is nothing to set here (the watering is "dry")`},
		{"beds[1].water.kind", "wet", `--set beds[1].water.kind=wet: beds[1].water: unknown watering "wet", expected one of dry, hose`},
		{"beds[0].plants", "many", `--set beds[0].plants=many: beds[0].plants: got the text "many", expected a whole number`},
		{"", "1", `path "": a name is missing`},
		{"beds[", "1", `path "beds[": the bracket at "[" is empty or does not close`},
		{"beds[0]plants", "1", `path "beds[0]plants": "plants", expected a dot or a bracket`},
		{"tags[0]", "1", `path "tags[0]": does not exist, the list is not given`},
	} {
		_, err := set(t, c.path, c.value)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.path, err, c.want)
		}
	}
}

func TestGetReports(t *testing.T) {
	g, err := set(t, "sun", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"beds[*].plants", "beds[0].plant", "name.x", "beds[5]", "."} {
		if got, err := yamldoc.Get(g, path); err == nil {
			t.Errorf("%s: got %v, want an error", path, got)
		}
	}
}

func TestLocateFindsTheNearestLine(t *testing.T) {
	n, _ := yamldoc.Parse("g.yaml", []byte(plot))
	for path, line := range map[string]int{
		"beds[1].paths[0].metres": 7, "beds[0].plants": 4, "beds": 3, "beds[9].name": 3, "season": 2, "beds[0].water.litres": 5,
	} {
		if got := n.Locate(path).Line; got != line {
			t.Errorf("%s: line %d, want %d", path, got, line)
		}
	}
}
