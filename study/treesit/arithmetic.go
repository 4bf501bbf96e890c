//go:build cgo

package treesit

import (
	"math"
	"strconv"
	"strings"
)

// literal reads a number of any of the languages (0x10, 1_000, 5L, 2.5f, 10n).
func literal(s string) value {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	if s == "inf" || s == "infinity" || s == "+inf" {
		return number(math.Inf(1), 0)
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0b") || strings.HasPrefix(s, "0o") {
		if i, err := strconv.ParseInt(strings.TrimRight(s, "l"), 0, 64); err == nil {
			return number(float64(i), 0)
		}
		return unknown(0)
	}
	if x, err := strconv.ParseFloat(strings.TrimRight(s, "lfdnj"), 64); err == nil {
		return number(x, 0)
	}
	return unknown(0)
}

func (w *world) unary(n *node, e *env) value {
	v := w.eval(n.a, e)
	switch n.name {
	case "!":
		if yes, known := v.truth(); known {
			return boolean(!yes, v.flags)
		}
	case "-":
		if v.numeric() {
			v.num = -v.num
			return v
		}
	case "+":
		return v
	}
	return unknown(v.flags)
}

func (w *world) binary(n *node, e *env) value {
	switch n.name {
	case "and", "&&", "or", "||", "??":
		return w.logic(n, e)
	case "<", "<=", ">", ">=", "==", "!=":
		return w.compare(n, e)
	}
	x, y := w.eval(n.a, e), w.eval(n.b, e)
	f := x.flags | y.flags
	if f&fClock != 0 && f&fRandom == 0 {
		return unknown(f)
	}
	if x.kind == vStr || y.kind == vStr || !x.numeric() && !y.numeric() {
		return unknown(f)
	}
	// One side unknown: keep the shape by a neutral stand-in.
	if !x.numeric() {
		x = number(neutral(n, n.a), f|fHole|fRuntime|fOpaque&x.flags)
	}
	if !y.numeric() {
		y = number(neutral(n, n.b), f|fHole|fRuntime|fOpaque&y.flags)
	}
	x.num, y.num = factor(n, n.a, x), factor(n, n.b, y)
	return arithmetic(n.name, x.num, y.num, x.flags|y.flags)
}

func arithmetic(op string, x, y float64, f flags) value {
	r := 0.0
	switch strings.TrimSuffix(op, "=") {
	case "+":
		r = x + y
	case "-":
		r = x - y
	case "*":
		r = x * y
	case "/":
		r = x / y
	case "//":
		r = math.Floor(x / y)
	case "%":
		r = math.Mod(x, y)
	case "**":
		r = math.Pow(x, y)
	case "<<":
		r = x * math.Exp2(min(y, 60))
	case ">>", ">>>":
		r = math.Floor(x / math.Exp2(min(y, 60)))
	default:
		return unknown(f)
	}
	if math.IsNaN(r) || math.IsInf(r, 0) && op != "+" {
		return unknown(f)
	}
	return number(r, f)
}

// neutral is the stand-in for an operand whose value is not known: one that does
// not change the shape of the rest.
func neutral(n, operand *node) float64 {
	if n.name == "**" && operand == n.a || growthName(operand.last()) {
		return 2
	}
	if n.name == "+" || n.name == "-" {
		return 0
	}
	return 1
}

// factor replaces the stand-in of a run-time number where a count-sized one would
// distort a wait: "delay * backoff" with an unknown backoff still grows.
func factor(n, operand *node, v value) float64 {
	if v.num == 1 && v.flags&(fNamed|fRuntime) != 0 && growthName(operand.last()) {
		return 2 // a growth that is off by default is still what the code can do
	}
	if v.flags&fHole == 0 || v.num != standIn {
		return v.num
	}
	if n.name == "**" && operand == n.a || growthName(operand.last()) {
		return 2
	}
	return v.num
}

func growthName(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "factor") || strings.Contains(s, "multipl") || strings.Contains(s, "exponent") ||
		strings.HasSuffix(s, "backoff") || strings.HasSuffix(s, "_base") || strings.HasSuffix(s, "_rate") || s == "backoffs" || strings.HasSuffix(s, "coefficient")
}
