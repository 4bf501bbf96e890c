package yamldoc

import (
	"fmt"
	"reflect"
)

// Set changes what is at a path of a tree that describes a value of v's type; with [*] or .* in
// the path, all of them. Keys that the file left out are added. The path is checked here and the
// value when the tree is decoded.
func (t *Types) Set(root *Node, v any, path string, value *Node) error {
	steps, err := parsePath(path)
	if err != nil {
		return err
	}
	w := walker{types: t, path: path, steps: steps}
	return w.set(root, t.start(reflect.TypeOf(v)), 0, value)
}

// set replaces what the steps from i on mean below n. What n leaves out is as in base.
func (w *walker) set(n *Node, base reflect.Value, i int, value *Node) error {
	if i == len(w.steps) {
		*n = *value.Clone()
		return nil
	}
	switch base.Kind() {
	case reflect.Pointer:
		return w.set(n, w.types.start(base.Type().Elem()), i, value)
	case reflect.Struct:
		f, err := w.field(i, base.Type())
		if err != nil {
			return err
		}
		return w.set(child(n, f.name, value), base.FieldByIndex(f.index), i+1, value)
	case reflect.Slice:
		return w.setItems(n, w.types.start(base.Type().Elem()), i, value)
	case reflect.Interface:
		return w.setUnion(n, base, i, value)
	}
	return w.single(i)
}

// child is the value under a key of n, made if it is not there.
func child(n *Node, key string, value *Node) *Node {
	if n.Kind != Map {
		*n = Node{File: n.File, Line: n.Line, Kind: Map}
	}
	c := n.Get(key)
	if c == nil {
		c = &Node{File: value.File, Line: value.Line}
		n.Put(key, c)
	}
	return c
}

func (w *walker) setItems(n *Node, elem reflect.Value, i int, value *Node) error {
	if n.Kind != List {
		return w.problem(i, "does not exist, the list is not given")
	}
	unnamed := structName(elem)
	found, err := w.items(i, len(n.Items), func(k int) string {
		for _, key := range nameKeys {
			if name := n.Items[k].Get(key); name != nil {
				return name.Text
			}
		}
		return unnamed
	})
	if err != nil {
		return err
	}
	for _, k := range found {
		if err := w.set(n.Items[k], elem, i+1, value); err != nil {
			return err
		}
	}
	return nil
}

// setUnion sets a field of an interface's value. Another kind starts afresh, because the fields
// of the old one mean nothing to it.
func (w *walker) setUnion(n *Node, base reflect.Value, i int, value *Node) error {
	u := w.types.unions[base.Type()]
	if w.steps[i].name == "kind" && i == len(w.steps)-1 {
		*n = *value.Clone()
		return nil
	}
	kind := ""
	switch {
	case n.Kind == Scalar:
		kind = n.Text
	case n.Kind == Map && n.Get("kind") != nil:
		kind = n.Get("kind").Text
	case !base.IsNil():
		kind = u.name(base.Interface())
	}
	start, ok := u.startOf(kind)
	if !ok {
		return fmt.Errorf("path %q: %s", w.path[:w.steps[i].start], u.unknown(kind))
	}
	if n.Kind != Map {
		word := String(kind).Moved(n.File, n.Line)
		*n = Node{File: n.File, Line: n.Line, Kind: Map, Keys: []string{"kind"}, Items: []*Node{word}}
	}
	if err := w.set(n, start, i, value); err != nil {
		return fmt.Errorf("%w (the %s is %q)", err, u.word, kind)
	}
	return nil
}
