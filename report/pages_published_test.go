package report_test

import (
	"encoding/xml"
	"html"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// publishedPages are the pages that the project publishes, with their texts.
func publishedPages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../results/sweeps/*/report.html")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d pages of sweeps, %v", len(files), err)
	}
	pages := map[string]string{}
	for _, file := range append(files, "../results/paper/report.html") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.ToSlash(file)] = string(text)
	}
	return pages
}

// ignored are the patterns of files below results that a clone does not have.
func ignored(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "/results/"); ok {
			patterns = append(patterns, "../results/"+rest)
		}
	}
	if len(patterns) < 4 {
		t.Fatalf("patterns %v, expected those of PNG and PDF files", patterns)
	}
	return patterns
}

// Every link of a published page leads to a place in it or to a file that a clone has.
func TestPublishedLinksResolve(t *testing.T) {
	patterns := ignored(t)
	for page, text := range publishedPages(t) {
		for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if anchor, ok := strings.CutPrefix(link[1], "#"); ok {
				if !strings.Contains(text, ` id="`+anchor+`"`) {
					t.Errorf("%s: no place %s", page, anchor)
				}
				continue
			}
			file := path.Join(path.Dir(page), html.UnescapeString(link[1]))
			if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			for _, pattern := range patterns {
				if match, err := path.Match(pattern, file); match || err != nil {
					t.Errorf("%s links %s, which a clone lacks (%s, %v)", page, link[1], pattern, err)
				}
			}
		}
	}
}

// The marks in a table are those of the notes right beneath it, in the page and in Markdown.
func TestMarksHaveTheirNotes(t *testing.T) {
	inCell, note := regexp.MustCompile(`</?t[dh][^<]*|<sup>([a-z]+)</sup></td>`), regexp.MustCompile(`^<p class="notes"><sup>([a-z]+)</sup> `)
	for page, text := range publishedPages(t) {
		for _, block := range strings.Split(text, `<div class="block" id="`)[1:] {
			table, below, _ := strings.Cut(block, "</table>\n</div>\n")
			var marks, notes []string
			for _, m := range inCell.FindAllStringSubmatch(table, -1) {
				for _, mark := range strings.Split(m[1], "") {
					if !slices.Contains(marks, mark) {
						marks = append(marks, mark)
					}
				}
			}
			for {
				m := note.FindStringSubmatch(below)
				if m == nil {
					break
				}
				notes = append(notes, m[1])
				_, below, _ = strings.Cut(below, "\n")
			}
			slices.Sort(marks)
			if !slices.Equal(marks, notes) {
				name, _, _ := strings.Cut(block, `"`)
				t.Errorf("%s: %s has marks %v and right beneath it notes %v", page, name, marks, notes)
			}
			if strings.Contains(below, "<sup>") {
				t.Errorf("%s: a note that is not right beneath its table: %.80s", page, below)
			}
		}
	}
}

// Every table and figure says how many cases it rests on, or that it rests on none; the line below the title names no n.
func TestEachTableAndFigureSaysItsN(t *testing.T) {
	says := regexp.MustCompile(`n = \d+|n as listed|n is |no trials|nothing is drawn|Denominators are`)
	for page, text := range publishedPages(t) {
		if head, _, _ := strings.Cut(text, "<nav"); regexp.MustCompile(`n = \d`).MatchString(head) {
			t.Errorf("%s: the line below the title gives an n for all", page)
		}
		for _, part := range regexp.MustCompile(`(?s)<div class="block".*?<table>|<figcaption>.*?</figcaption>`).FindAllString(text, -1) {
			if !says.MatchString(part) {
				t.Errorf("%s does not say its n: %.300s", page, part)
			}
			if strings.Contains(part, "as listed") && !strings.Contains(part, "<figcaption>") {
				_, rest, _ := strings.Cut(text, part)
				if heads, _, _ := strings.Cut(rest, "</thead>"); !strings.Contains(heads, ">Trials</th>") {
					t.Errorf("%s lists no trials: %.200s", page, part)
				}
			}
		}
	}
}

// What is wide lies in a box of its own that scrolls, with a shadow at the edge behind which there is more.
func TestWidePartsScrollInTheirBox(t *testing.T) {
	for page, text := range publishedPages(t) {
		for what, box := range map[string]string{"<table>": `<div class="scroll"`, "<svg ": `<div class="card"`} {
			rest := text
			for {
				before, after, ok := strings.Cut(rest, what)
				if !ok {
					break
				}
				if at := strings.LastIndex(before, "<div class="); at < 0 || !strings.HasPrefix(before[at:], box) || strings.Contains(before[at:], "</div>") {
					t.Errorf("%s: a %s outside of a %s: %.200s", page, what, box, after)
				}
				rest = after
			}
		}
		css, _, _ := strings.Cut(text, "</style>")
		for _, rule := range []string{".scroll, .card { overflow-x: auto;", "no-repeat local", "no-repeat scroll", "minmax(0, 1fr)", "overflow-wrap: break-word"} {
			if !strings.Contains(css, rule) {
				t.Errorf("%s: its style lacks %q", page, rule)
			}
		}
	}
}

// box is where a text of a figure is, in points.
type box struct {
	text                     string
	left, right, top, bottom float64
}

// texts are the level texts of an SVG file and the size of the picture.
func texts(t *testing.T, file string) (boxes []box, width float64) {
	t.Helper()
	svg, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	number := func(pattern, in string) float64 {
		m := regexp.MustCompile(pattern).FindStringSubmatch(in)
		if m == nil {
			return math.NaN()
		}
		x, _ := strconv.ParseFloat(m[1], 64)
		return x
	}
	width = number(`viewBox="0 0 ([\d.]+)`, string(svg))
	level := regexp.MustCompile(`(?s)<g transform="rotate\(.*?</g>`).ReplaceAllString(string(svg), "")
	for _, m := range regexp.MustCompile(`(?s)<text ([^>]*)>(.*?)</text>`).FindAllStringSubmatch(level, -1) {
		var plain struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte("<t>"+m[2]+"</t>"), &plain); err != nil {
			t.Fatal(err)
		}
		x, y, size, length := number(`\bx="([-\d.]+)"`, m[1]), number(`\by="([-\d.]+)"`, m[1]), number(`font-size:([\d.]+)`, m[1]), number(`textLength="([\d.]+)"`, m[1])
		boxes = append(boxes, box{plain.Text, x, x + length, y - 0.7*size, y})
	}
	return boxes, width
}

// No text of a figure runs out of the picture or into another, legends included.
func TestTextsOfFiguresAreApart(t *testing.T) {
	files, err := filepath.Glob("../results/sweeps/*/figures/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../results/paper/figures/*.svg")
	if err != nil || len(files)+len(more) < 24 {
		t.Fatalf("%d figures, %v", len(files)+len(more), err)
	}
	for _, file := range append(files, more...) {
		boxes, width := texts(t, file)
		if len(boxes) == 0 || !(width > 0) {
			t.Errorf("%s: %d texts in a picture %v wide", file, len(boxes), width)
		}
		for i, a := range boxes {
			if a.left < -0.5 || !(a.right < width+0.5) {
				t.Errorf("%s: %q goes from %.0f to %.0f of %.0f", file, a.text, a.left, a.right, width)
			}
			for _, b := range boxes[:i] {
				if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
					t.Errorf("%s: %q and %q run into each other", file, a.text, b.text)
				}
			}
			if strings.HasPrefix(a.text, "-") {
				t.Errorf("%s: %q has a hyphen for a minus", file, a.text)
			}
		}
	}
}
