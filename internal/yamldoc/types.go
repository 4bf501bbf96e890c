package yamldoc

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Types says how Go types are written in files beyond what their yaml tags say: the
// values that new list items start from, and which structs an interface may hold.
// It is filled once, before use, and may then be shared between goroutines.
type Types struct {
	defaults map[reflect.Type]reflect.Value
	unions   map[reflect.Type]*union
}

// union is an interface whose values are named by the key "kind".
type union struct {
	word  string
	kinds []string
	of    map[string]reflect.Value
	name  func(any) string
}

// NewTypes is without defaults and unions.
func NewTypes() *Types {
	return &Types{defaults: map[reflect.Type]reflect.Value{}, unions: map[reflect.Type]*union{}}
}

// Default makes v the start of every new value of its type: a list's item, or what a
// pointer points to. Without one they start from zero.
func (t *Types) Default(v any) { t.defaults[reflect.TypeOf(v)] = reflect.ValueOf(v) }

// Union registers an interface type. Its values are mappings whose key "kind" is one of
// kinds, or that name alone; each starts from the struct of the same index in defaults.
// word is what people call such a value, and name gives a value's kind.
func Union[I any](t *Types, word string, kinds []string, defaults []I, name func(I) string) {
	u := &union{word: word, kinds: kinds, of: map[string]reflect.Value{}, name: func(v any) string { return name(v.(I)) }}
	for i, kind := range kinds {
		u.of[kind] = reflect.ValueOf(defaults[i])
	}
	t.unions[reflect.TypeFor[I]()] = u
}

// start is the value that a new one of that type starts from.
func (t *Types) start(typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	if d, ok := t.defaults[typ]; ok {
		v.Set(d)
	}
	return v
}

// startOf is the struct that a union's value of that kind starts from, addressable.
func (u *union) startOf(kind string) (reflect.Value, bool) {
	d, ok := u.of[kind]
	if !ok {
		return reflect.Value{}, false
	}
	v := reflect.New(d.Type()).Elem()
	v.Set(d)
	return v, true
}

// unknown is the message for a kind that does not exist.
func (u *union) unknown(kind string) string {
	return fmt.Sprintf("unknown %s %q%s expected one of %s", u.word, kind, comma(Suggest(kind, u.kinds)), strings.Join(u.kinds, ", "))
}

// comma ends a sentence's first part: after a question nothing is needed.
func comma(suggestion string) string {
	if suggestion == "" {
		return ","
	}
	return suggestion
}

// field is one key of a struct.
type field struct {
	name  string
	index []int
}

// listed are the fields of types that were asked for before: a sweep asks for the same ones in each of its cells.
var listed sync.Map // []field by reflect.Type

// fields lists a struct's keys in order, embedded structs with the option inline opened up. The list is shared and must
// not be changed.
func fields(typ reflect.Type) []field {
	if list, ok := listed.Load(typ); ok {
		return list.([]field)
	}
	list := listFields(typ)
	listed.Store(typ, list)
	return list
}

func listFields(typ reflect.Type) []field {
	var all []field
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" {
			continue
		}
		if strings.Contains(options, "inline") {
			for _, inner := range fields(f.Type) {
				all = append(all, field{inner.name, append([]int{i}, inner.index...)})
			}
			continue
		}
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		all = append(all, field{name, []int{i}})
	}
	return all
}

func fieldNames(fs []field) []string {
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.name
	}
	return names
}

func findField(fs []field, name string) (field, bool) {
	for _, f := range fs {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	nodeType     = reflect.TypeFor[*Node]()
)

// expected says in words what a value of that type looks like.
func (t *Types) expected(typ reflect.Type) string {
	switch {
	case typ == durationType:
		return `a duration such as "100ms"`
	case typ == nodeType:
		return "a value"
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number not below 0"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "a list, each item " + t.expected(typ.Elem())
	case reflect.Pointer:
		return t.expected(typ.Elem())
	case reflect.Interface:
		if u := t.unions[typ]; u != nil {
			return "a " + u.word + `: its kind, or a mapping with the key "kind"`
		}
	case reflect.Struct:
		return "a mapping of " + strings.Join(fieldNames(fields(typ)), ", ")
	}
	panic(fmt.Sprintf("yamldoc: type %v is not supported", typ))
}
