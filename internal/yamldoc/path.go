package yamldoc

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// step is one part of a path: a key, or an item of a list by position, by name, or all of them.
type step struct {
	name  string
	index int // -1 if the step is a name
	all   bool
	start int // where the path's text up to this step ends
	end   int
}

// parsePath reads services[2].calls.Auth.timeout: keys with dots between them; items of a list
// as [2], as [name] or, if the name has no dot, as .name; [*] or .* is every item.
func parsePath(path string) ([]step, error) {
	var steps []step
	for at := 0; at < len(path) || len(steps) == 0; {
		name, length, problem := cutStep(path[at:], len(steps) == 0)
		if problem != "" {
			return nil, fmt.Errorf("path %q: %s", path, problem)
		}
		s := step{name: name, index: -1, all: name == "*", start: at, end: at + length}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 {
			s.index = i
		}
		steps = append(steps, s)
		at = s.end
	}
	return steps, nil
}

// cutStep takes the first step off a path: its name, and how much text it is.
func cutStep(rest string, first bool) (name string, length int, problem string) {
	if strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 2 {
			return "", 0, fmt.Sprintf("the bracket at %q is empty or does not close", rest)
		}
		return rest[1:end], end + 1, ""
	}
	dot := 0
	if !first {
		if rest[0] != '.' {
			return "", 0, fmt.Sprintf("%q, expected a dot or a bracket", rest)
		}
		dot = 1
	}
	name = rest[dot:]
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	if name == "" {
		return "", 0, "a name is missing"
	}
	return name, dot + len(name), ""
}

// walker finds values by path. It reports where the path stops making sense.
type walker struct {
	types *Types
	path  string
	steps []step
}

// problem says what is wrong with step i.
func (w *walker) problem(i int, format string, args ...any) error {
	return fmt.Errorf("path %q: %s", w.path[:w.steps[i].end], fmt.Sprintf(format, args...))
}

// single says that step i looks inside something that has no inside.
func (w *walker) single(i int) error {
	return w.problem(i, "does not exist, %q is a single value", w.path[:w.steps[i].start])
}

func (w *walker) field(i int, typ reflect.Type) (field, error) {
	fs := fields(typ)
	f, ok := findField(fs, w.steps[i].name)
	if ok {
		return f, nil
	}
	names := fieldNames(fs)
	text := "does not exist"
	if s := Suggest(w.steps[i].name, names); s != "" {
		return f, w.problem(i, "%s%s", text, s)
	}
	if len(names) == 0 {
		return f, w.problem(i, "%s, there is nothing to set here", text)
	}
	return f, w.problem(i, "%s, expected one of %s", text, list(names))
}

// items gives the positions in a list of that length that step i means. nameOf gives an item's name.
func (w *walker) items(i, length int, nameOf func(int) string) ([]int, error) {
	s := w.steps[i]
	if s.all {
		every := make([]int, length)
		for k := range every {
			every[k] = k
		}
		return every, nil
	}
	names := make([]string, length)
	for k := range names {
		if names[k] = nameOf(k); names[k] == s.name {
			return []int{k}, nil
		}
	}
	if s.index >= 0 {
		if s.index < length {
			return []int{s.index}, nil
		}
		return nil, w.problem(i, "does not exist, the list has %d items", length)
	}
	if sug := Suggest(s.name, names); sug != "" {
		return nil, w.problem(i, "no item has this name%s", sug)
	}
	return nil, w.problem(i, "no item has this name, expected one of %s, or a position below %d", list(names), length)
}

// nameKeys are the fields that name a list's item, in order of preference.
var nameKeys = []string{"name", "to"}

// Get reads the value at a path of a struct, e.g. services.API.servers. It is what the field
// holds: a Go value of the field's type. The path must mean one value.
func Get(v any, path string) (any, error) {
	steps, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	w := walker{path: path, steps: steps}
	at := reflect.ValueOf(v)
	for i := range steps {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Interface {
			at = at.Elem()
		}
		if at, err = w.read(i, at); err != nil {
			return nil, err
		}
	}
	return at.Interface(), nil
}

func (w *walker) read(i int, at reflect.Value) (reflect.Value, error) {
	switch at.Kind() {
	case reflect.Struct:
		f, err := w.field(i, at.Type())
		if err != nil {
			return at, err
		}
		return at.FieldByIndex(f.index), nil
	case reflect.Slice:
		found, err := w.items(i, at.Len(), func(k int) string { return structName(at.Index(k)) })
		if err != nil {
			return at, err
		}
		if len(found) != 1 {
			return at, w.problem(i, "means %d values, expected one", len(found))
		}
		return at.Index(found[0]), nil
	}
	return at, w.single(i)
}

// structName is the name of a list's item by its fields, or empty.
func structName(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		return ""
	}
	for _, key := range nameKeys {
		if f, ok := findField(fields(v.Type()), key); ok && v.FieldByIndex(f.index).Kind() == reflect.String {
			return v.FieldByIndex(f.index).String()
		}
	}
	return ""
}

// Locate is the node at a path, or the nearest one above it. The path is one that a problem names.
func (n *Node) Locate(path string) *Node {
	steps, err := parsePath(path)
	if err != nil {
		return n
	}
	at := n
	for _, s := range steps {
		var next *Node
		switch {
		case at.Kind == Map:
			next = at.Get(s.name)
		case at.Kind == List && s.index >= 0 && s.index < len(at.Items):
			next = at.Items[s.index]
		}
		if next == nil {
			return at
		}
		at = next
	}
	return at
}
