package yamldoc

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// setScalar puts a scalar into v and says what is wrong with it, or nothing.
func setScalar(n *Node, v reflect.Value) string {
	if v.Type() == durationType {
		return setDuration(n, v)
	}
	switch v.Kind() {
	case reflect.Bool:
		if n.Tag != "!!bool" {
			return n.describe() + ", expected true or false"
		}
		v.SetBool(strings.EqualFold(n.Text, "true"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return setInt(n, v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return setUint(n, v)
	case reflect.Float32, reflect.Float64:
		return setFloat(n, v)
	case reflect.String:
		if n.Tag != "!!str" {
			return n.describe() + ", expected text (put it in quotes)"
		}
		v.SetString(n.Text)
	default:
		panic(fmt.Sprintf("yamldoc: type %v is not supported", v.Type()))
	}
	return ""
}

func setDuration(n *Node, v reflect.Value) string {
	const want = `expected a duration with its unit such as "100ms", "1.5s" or "0s"`
	switch n.Tag {
	case "!!int", "!!float":
		if number, err := strconv.ParseFloat(n.Text, 64); err == nil && number == 0 {
			v.SetInt(0)
			return ""
		}
		return "got the bare number " + n.Text + ", " + want
	case "!!bool":
		return n.describe() + ", " + want
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil {
		return n.describe() + ", " + want
	}
	if d == 0 && strings.ContainsAny(n.Text, "123456789") { // zero often means without limit
		return n.describe() + ", shorter than 1ns, " + want
	}
	v.SetInt(int64(d))
	return ""
}

func setInt(n *Node, v reflect.Value) string {
	if !whole(n) {
		return n.describe() + ", expected a whole number"
	}
	i, err := strconv.ParseInt(digits(n), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return n.describe() + ", expected a whole number in decimal digits"
	}
	if err != nil || v.OverflowInt(i) {
		top := int64(math.MaxInt64) >> (64 - v.Type().Bits())
		return fmt.Sprintf("%s, expected a whole number between %d and %d", n.describe(), -top-1, top)
	}
	v.SetInt(i)
	return ""
}

func setUint(n *Node, v reflect.Value) string {
	if !whole(n) {
		return n.describe() + ", expected a whole number not below 0"
	}
	u, err := strconv.ParseUint(digits(n), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return n.describe() + ", expected a whole number not below 0 in decimal digits"
	}
	if err != nil || v.OverflowUint(u) {
		return fmt.Sprintf("%s, expected a whole number between 0 and %d", n.describe(), uint64(math.MaxUint64)>>(64-v.Type().Bits()))
	}
	v.SetUint(u)
	return ""
}

func setFloat(n *Node, v reflect.Value) string {
	if n.Tag != "!!int" && n.Tag != "!!float" {
		return n.describe() + ", expected a number"
	}
	f, err := strconv.ParseFloat(digits(n), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || v.OverflowFloat(f) {
		return n.describe() + ", expected a finite number in decimal digits"
	}
	v.SetFloat(f)
	return ""
}

// whole tells whether a scalar is written like a whole number; YAML calls those beyond 64 bits floats.
func whole(n *Node) bool {
	return n.Tag == "!!int" || n.Tag == "!!float" && strings.Trim(n.Text, "+-0123456789_") == ""
}

// digits is a number's text without the underscores that YAML allows between digits.
func digits(n *Node) string {
	text := strings.ReplaceAll(n.Text, "_", "")
	if strings.ContainsAny(text, "xXpP") {
		return "in another base" // hexadecimal is refused everywhere, floats included
	}
	return text
}

// scalarNode writes v as setScalar reads it.
func scalarNode(v reflect.Value) *Node {
	if v.Type() == durationType {
		return String(time.Duration(v.Int()).String())
	}
	n := &Node{Kind: Scalar}
	switch v.Kind() {
	case reflect.Bool:
		n.Tag, n.Text = "!!bool", strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.Tag, n.Text = "!!int", strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.Tag, n.Text = "!!int", strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		n.Tag, n.Text = "!!float", strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
		if whole(n) {
			n.Tag = "!!int" // as it reads back
		}
	case reflect.String:
		n.Tag, n.Text = "!!str", v.String()
	default:
		panic(fmt.Sprintf("yamldoc: type %v is not supported", v.Type()))
	}
	return n
}
