package table_test

import (
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"retrylab/report/table"
)

func sample() *table.Table {
	t := &table.Table{
		Name: "sample", Label: "Table X", Title: "A_b & c", Notice: "QUICK.", Method: "n = 100% of <5>; seed 1.",
		Caption: "a | b", Terms: []string{"c: a < b"},
		Fields: []string{"who", "value", "lo", "hi", "diff", "count"},
		Columns: []table.Column{
			{Head: "Who", Field: "who"},
			{Head: "Value", Field: "value", Lo: "lo", Hi: "hi", Digits: 2},
			{Head: "Diff", Field: "diff", Digits: 1, Signed: true},
			{Head: "Count", Field: "count", Digits: 2},
		},
	}
	t.Add(table.Text("a,b"), table.Number(1.0/3), table.Number(-0.25), table.Number(1.005), table.Number(2), table.Int(7))
	t.Note("value", "few trials")
	t.Add(table.Text("[c]"), table.Number(2), table.None, table.None, table.Number(-0.04), table.None)
	t.Note("value", "few trials")
	t.Note("diff", "no interval")
	return t
}

func TestCSVHasRawDigits(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(string(sample().CSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"who", "value", "lo", "hi", "diff", "count"},
		{"a,b", "0.3333333333", "-0.25", "1.005", "2", "7"},
		{"[c]", "2", "", "", "-0.04", ""},
	}
	for i, record := range want {
		if strings.Join(records[i], ";") != strings.Join(record, ";") {
			t.Errorf("line %d is %q, want %q", i, records[i], record)
		}
	}
}

// Sums in another order differ in the last bits; the CSV must not.
func TestRawIgnoresLastBits(t *testing.T) {
	x := 71.23456
	a, b := table.Number(x).Raw(), table.Number(math.Nextafter(x, 100)).Raw()
	if a != b {
		t.Errorf("neighbours print as %s and %s", a, b)
	}
	if got := table.Number(math.Copysign(0, -1)).Raw(); got != "0" {
		t.Errorf("minus zero prints as %q", got)
	}
	if got := table.Number(math.NaN()).Raw(); got != "" {
		t.Errorf("NaN prints as %q", got)
	}
}

func TestCells(t *testing.T) {
	s := sample()
	want := [][]table.Cell{
		{{Text: "a,b"}, {Text: "0.33 [−0.25, 1.00]", Mark: "a", Numeric: true}, {Text: "+2.0", Numeric: true}, {Text: "7", Numeric: true}},
		{{Text: "[c]"}, {Text: "2.00", Mark: "a", Numeric: true}, {Text: "0.0", Mark: "b", Numeric: true}, {Text: "—", Numeric: true}},
	}
	for row := range want {
		for i, cell := range s.Cells(row) {
			if cell != want[row][i] {
				t.Errorf("row %d column %d is %+v, want %+v", row, i, cell, want[row][i])
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := string(sample().Markdown())
	for _, want := range []string{
		"**Table X. A\\_b & c**\n\nQUICK. n = 100% of &lt;5&gt;; seed 1.\n",
		"\n|:---|---:|---:|---:|\n",
		"| a,b | 0.33 [−0.25, 1.00] (a) | +2.0 | 7 |\n",
		"|\n\n(a) few trials\n\n(b) no interval\n\na \\| b\n\n- c: a &lt; b\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestLatex(t *testing.T) {
	got := string(sample().Latex())
	for _, want := range []string{
		"\\caption{A\\_b \\& c. QUICK. n = 100\\% of \\textless{}5\\textgreater{}; seed 1.}",
		"\\begin{tabular}{lrrr}\n\\toprule\nWho & Value & Diff & Count \\\\\n\\midrule\n",
		"a,b & 0.33 [$-$0.25, 1.00]\\textsuperscript{a} & +2.0 & 7 \\\\\n{}[c] & ",
		"\\bottomrule\n\\end{tabular}\n\n\\smallskip\n{\\footnotesize\\textsuperscript{a} few trials\\par}\n",
		"{\\footnotesize a | b\\par}\n{\\footnotesize c: a \\textless{} b\\par}\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, r := range got {
		if r > 127 {
			t.Errorf("%q is not ASCII", r)
		}
	}
}

// Small p-values are bounds in print, so that none is "0.0000", and short in CSV.
func TestPValues(t *testing.T) {
	for p, want := range map[float64][2]string{
		6.9026e-84: {"< 0.0001", "6.903e-84"}, 0.00012345: {"0.0001", "0.0001234"}, 0.00999: {"0.010", "0.00999"},
		0.0423: {"0.042", "0.0423"}, 0.25: {"0.25", "0.25"}, 1: {"1.00", "1"}, 0: {"< 0.0001", "0"}, math.NaN(): {"—", ""},
	} {
		s := &table.Table{Fields: []string{"p"}, Columns: []table.Column{{Head: "p", Field: "p", Digits: 7}}}
		s.Add(table.P(p))
		if got := s.Cells(0)[0].Text; got != want[0] {
			t.Errorf("p = %v prints as %q, want %q", p, got, want[0])
		}
		if got := table.P(p).Raw(); got != want[1] {
			t.Errorf("p = %v is %q in CSV, want %q", p, got, want[1])
		}
	}
}

// A note that no cell refers to cannot be made.
func TestNotesNeedACell(t *testing.T) {
	for name, make := range map[string]func(*table.Table){
		"not printed": func(s *table.Table) { s.Note("lo", "x") },
		"no field":    func(s *table.Table) { s.Note("", "x") },
		"no row":      func(s *table.Table) { s.Rows = nil; s.Note("value", "x") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a note without a mark was taken", name)
				}
			}()
			make(sample())
		}()
	}
}
