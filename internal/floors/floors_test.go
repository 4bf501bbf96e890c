// Package floors has no code of its own: its tests hold the architecture in place.
package floors

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The floors, from the ground up. A package may import packages on lower floors, and on its own floor those below
// the same top folder (report and its parts, say). A package that is not listed fails the test. x/... is x and all
// below it.
const floors = `
0  policy engine/rng engine/dist analysis/queueing
0  internal/yamldoc internal/atomicfile internal/floors
1  engine results results/study
2  analysis study/... live/httpretry live/grpcretry
3  experiments/... report/... live/testbed
4  cmd/... internal/bench/... internal/cluster
`

// What the packages of the ground and the first floor may import beside the standard library and lower floors.
// Nothing, unless it is listed.
const outside = `
internal/yamldoc  go.yaml.in/yaml/v3
results           github.com/apache/arrow-go/v18 github.com/klauspost/compress
`

// The pure packages compute: no clock, no goroutines, no input or output, no randomness but what is passed in,
// and nothing that depends on the order of a map.
var pure = []string{"policy", "engine", "engine/rng", "engine/dist"}

// impure are packages of the standard library that a pure package does not import.
var impure = []string{
	"bufio", "context", "crypto/rand", "io", "io/ioutil", "log", "log/slog", "math/rand", "math/rand/v2", "net", "net/http",
	"os", "os/exec", "os/signal", "runtime", "sync", "sync/atomic", "syscall", "testing", "unsafe",
}

// clocks are the functions of package time that a pure package does not use: it has only durations.
var clocks = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"}

const module = "retrylab"

// root is the module's folder.
const root = "../.."

// source is a package's files without its tests.
type source struct {
	path  string // within the module, e.g. engine/rng
	files []*ast.File
}

func TestFloors(t *testing.T) {
	floor := parseFloors(t)
	allowed := parseOutside()
	packages, _ := load(t, parser.ImportsOnly)
	if len(packages) < 10 {
		t.Fatalf("only %d packages found below %s", len(packages), root)
	}
	for _, p := range packages {
		own, ok := floor(p.path)
		if !ok {
			t.Errorf("package %s is on no floor; add it to the table in internal/floors/floors_test.go", p.path)
			continue
		}
		for _, imported := range imports(p) {
			inside, isOurs := strings.CutPrefix(imported, module+"/")
			switch {
			case isOurs:
				if text := misplaced(floor, p.path, own, inside); text != "" {
					t.Error(text)
				}
			case own <= 1 && isOutside(imported) && !slices.ContainsFunc(allowed[p.path], func(a string) bool { return within(imported, a) }):
				t.Errorf("package %s imports %s, which the table of outside packages does not allow", p.path, imported)
			}
		}
	}
}

// misplaced says why an import goes the wrong way, or nothing.
func misplaced(floor func(string) (int, bool), from string, own int, to string) string {
	theirs, ok := floor(to)
	family := func(path string) string { top, _, _ := strings.Cut(path, "/"); return top }
	switch {
	case !ok:
		return fmt.Sprintf("package %s imports %s, which is on no floor", from, to)
	case theirs > own || theirs == own && (family(from) != family(to) || family(from) == "internal"):
		return fmt.Sprintf("package %s (floor %d) imports %s (floor %d): only lower floors may be imported", from, own, to, theirs)
	}
	return ""
}

func TestPurePackages(t *testing.T) {
	packages, set := load(t, parser.SkipObjectResolution)
	checked := 0
	for _, p := range packages {
		if !slices.Contains(pure, p.path) {
			continue
		}
		checked++
		for _, imported := range imports(p) {
			if slices.Contains(impure, imported) {
				t.Errorf("package %s imports %s", p.path, imported)
			}
		}
		for _, text := range impurities(p, set) {
			t.Error(text)
		}
	}
	if checked != len(pure) {
		t.Errorf("%d pure packages found, expected %d", checked, len(pure))
	}
}

// impurities lists goroutines, channels, clocks and loops over maps.
func impurities(p source, set *token.FileSet) []string {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	// What other packages export is unknown here, and does not matter: the kinds of local values do.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = config.Check(p.path, set, p.files, info)
	var list []string
	add := func(n ast.Node, what string) {
		list = append(list, fmt.Sprintf("%s: %s in the pure package %s", set.Position(n.Pos()), what, p.path))
	}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				add(n, "a goroutine")
			case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				add(n, "a channel")
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
					add(n, "the clock time."+n.Sel.Name)
				}
			case *ast.RangeStmt:
				if tv, ok := info.Types[n.X]; ok && tv.Type != nil {
					if _, isMap := tv.Type.Underlying().(*types.Map); isMap {
						add(n, "a loop over a map")
					}
				}
			}
			return true
		})
	}
	return list
}

// The test of purity must see each kind of impurity.
func TestImpuritiesAreSeen(t *testing.T) {
	const text = `package bad
import "time"
type table map[string]int
type holder struct{ t table }
func f(h *holder, c chan int) {
	go f(h, nil)
	_ = time.Now()
	for range h.t {}
	c <- 1
	for range []int{1} {}
	for range 3 {}
}`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "bad.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(impurities(source{"bad", []*ast.File{f}}, set), "\n")
	for _, want := range []string{"bad.go:5:21: a channel", "bad.go:6:2: a goroutine", "bad.go:7:6: the clock time.Now", "bad.go:8:2: a loop over a map", "bad.go:9:2: a channel"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not seen in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 5 {
		t.Errorf("%d impurities seen, expected 5:\n%s", n, got)
	}
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not looked at", path)
}

// load parses every package of the module but its tests.
func load(t *testing.T, mode parser.Mode) ([]source, *token.FileSet) {
	t.Helper()
	set := token.NewFileSet()
	byPath := map[string]*source{}
	var order []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && filepath.Base(filepath.Dir(path)) != "floors" {
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, mode)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if byPath[folder] == nil {
			byPath[folder] = &source{path: folder}
			order = append(order, folder)
		}
		byPath[folder].files = append(byPath[folder].files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []source
	for _, path := range order {
		list = append(list, *byPath[path])
	}
	return list, set
}

func imports(p source) []string {
	var list []string
	for _, f := range p.files {
		for _, s := range f.Imports {
			if path, err := strconv.Unquote(s.Path.Value); err == nil && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	slices.Sort(list)
	return list
}

// isOutside tells whether an import is neither ours nor of the standard library, whose paths begin without a dot.
func isOutside(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func parseFloors(t *testing.T) func(string) (int, bool) {
	t.Helper()
	exact, below := map[string]int{}, map[string]int{}
	for line := range strings.Lines(strings.TrimSpace(floors)) {
		words := strings.Fields(line)
		number, err := strconv.Atoi(words[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words[1:] {
			if folder, ok := strings.CutSuffix(w, "/..."); ok {
				below[folder] = number
			} else {
				exact[w] = number
			}
		}
	}
	return func(path string) (int, bool) {
		if n, ok := exact[path]; ok {
			return n, true
		}
		for folder, n := range below {
			if within(path, folder) {
				return n, true
			}
		}
		return 0, false
	}
}

func parseOutside() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(outside)) {
		words := strings.Fields(line)
		table[words[0]] = words[1:]
	}
	return table
}

func TestWrongDirectionsAreSeen(t *testing.T) {
	floor := parseFloors(t)
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"engine", "policy", true}, {"engine/dist", "engine/rng", true}, {"experiments", "results", true}, {"report", "report/table", true},
		{"study", "study/finding", true}, {"cmd/retrylab", "report", true},
		{"policy", "engine", false}, {"engine", "results", false}, {"results", "engine", false}, {"engine/rng", "engine", false},
		{"policy", "engine/rng", false}, {"internal/yamldoc", "internal/atomicfile", false}, {"report", "experiments", false},
		{"analysis", "study", false}, {"engine", "nowhere", false},
	} {
		own, ok := floor(c.from)
		if text := misplaced(floor, c.from, own, c.to); !ok || (text == "") != c.allowed {
			t.Errorf("%s imports %s: %q", c.from, c.to, text)
		}
	}
}
