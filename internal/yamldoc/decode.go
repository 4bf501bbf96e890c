package yamldoc

import (
	"fmt"
	"reflect"
)

// Decode fills the struct that into points to. Keys that the file does not name keep their
// values; a list is replaced as a whole. It goes on after a mistake and reports all.
func (t *Types) Decode(n *Node, into any) Problems {
	d := decoder{types: t}
	d.value(n, reflect.ValueOf(into).Elem(), "")
	d.problems.Sort()
	return d.problems
}

type decoder struct {
	types    *Types
	problems Problems
}

func (d *decoder) add(n *Node, path, format string, args ...any) {
	d.problems = append(d.problems, n.Problem(path, fmt.Sprintf(format, args...)))
}

// wrong reports a value of the wrong shape.
func (d *decoder) wrong(n *Node, path string, typ reflect.Type) {
	d.add(n, path, "%s, expected %s", n.describe(), d.types.expected(typ))
}

func (d *decoder) value(n *Node, v reflect.Value, path string) {
	typ := v.Type()
	if typ == nodeType {
		v.Set(reflect.ValueOf(n))
		return
	}
	switch typ.Kind() {
	case reflect.Struct:
		d.structure(n, v, path, "")
	case reflect.Slice:
		d.list(n, v, path)
	case reflect.Interface:
		d.union(n, v, path)
	case reflect.Pointer:
		inner := d.types.start(typ.Elem())
		d.value(n, inner, path)
		v.Set(inner.Addr())
	default:
		if n.Kind != Scalar {
			d.wrong(n, path, typ)
			return
		}
		if text := setScalar(n, v); text != "" {
			d.add(n, path, "%s", text)
		}
	}
}

// structure fills a struct; the key skip was dealt with by the caller.
func (d *decoder) structure(n *Node, v reflect.Value, path, skip string) {
	if n.Kind != Map {
		d.wrong(n, path, v.Type())
		return
	}
	fs := fields(v.Type())
	for i, key := range n.Keys {
		if key == skip && skip != "" {
			continue
		}
		f, ok := findField(fs, key)
		if !ok {
			d.add(n.Items[i], join(path, key), "%s", unknownKey(fs))
			d.suggestKey(key, fs)
			continue
		}
		d.value(n.Items[i], v.FieldByIndex(f.index), join(path, key))
	}
}

func unknownKey(fs []field) string {
	if len(fs) == 0 {
		return "unknown key, expected none here"
	}
	return "unknown key"
}

// suggestKey completes the last problem with the nearest key, or the list of keys.
func (d *decoder) suggestKey(key string, fs []field) {
	if len(fs) == 0 {
		return
	}
	names := fieldNames(fs)
	text := &d.problems[len(d.problems)-1].Text
	if s := Suggest(key, names); s != "" {
		*text += s
		return
	}
	*text += ", expected one of " + list(names)
}

func (d *decoder) list(n *Node, v reflect.Value, path string) {
	if n.Kind != List {
		d.wrong(n, path, v.Type())
		return
	}
	items := reflect.Zero(v.Type()) // an empty list is nil, so that equal files give equal values
	for i, item := range n.Items {
		inner := d.types.start(v.Type().Elem())
		d.value(item, inner, fmt.Sprintf("%s[%d]", path, i))
		items = reflect.Append(items, inner)
	}
	v.Set(items)
}

// union fills an interface by kind.
func (d *decoder) union(n *Node, v reflect.Value, path string) {
	u := d.types.unions[v.Type()]
	if u == nil {
		panic(fmt.Sprintf("yamldoc: interface %v is not registered", v.Type()))
	}
	kindNode, kindPath := n, path
	if n.Kind == Map {
		kindNode, kindPath = n.Get("kind"), join(path, "kind")
		if kindNode == nil {
			d.add(n, path, `has no key "kind", expected one of %s`, list(u.kinds))
			return
		}
	}
	if kindNode.Kind != Scalar {
		d.wrong(kindNode, kindPath, v.Type())
		return
	}
	inner, ok := u.startOf(kindNode.Text)
	if !ok {
		d.add(kindNode, kindPath, "%s", u.unknown(kindNode.Text))
		return
	}
	if n.Kind == Map {
		d.structure(n, inner, path, "kind")
	}
	v.Set(inner)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// list is the words with commas, the first dozen of them.
func list(words []string) string {
	text := ""
	for i, w := range words {
		if i == 24 {
			return text + fmt.Sprintf(" and %d more", len(words)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += w
	}
	return text
}
