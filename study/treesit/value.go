//go:build cgo

package treesit

// flags say where a value comes from; they flow through arithmetic.
type flags uint16

const (
	fRandom  flags = 1 << iota // a random source
	fRuntime                   // parameter, settings, environment: the number is a default or a stand-in
	fNamed                     // a named constant or the default of a parameter
	fHole                      // the number is a stand-in for an unknown one
	fClock                     // the time of day or a running clock
	fServer                    // an answer's Retry-After
	fSeconds                   // the number is in seconds whatever the language's unit
	fCounted                   // the outcome of comparing a counter
	fOpaque                    // computed by code that could not be read
)

type valueKind uint8

const (
	vUnknown valueKind = iota
	vNum
	vStr
	vBool // num 0 or 1
	vNull
	vFunc  // node, env, unit
	vNode  // dictionary, list or constructor call: node, env, unit
	vRange // num: next, stop, step
)

// value is what an expression is worth in the world under study.
type value struct {
	kind       valueKind
	num        float64
	stop, step float64
	str        string
	node       *node
	env        *env
	unit       *unit
	flags      flags
}

// standIn is the number used for a count that is not known: large enough to tell
// "n" from "n+1" and the shapes of waits apart, small enough to run.
const standIn = 7

func number(x float64, f flags) value { return value{kind: vNum, num: x, flags: f} }

func boolean(b bool, f flags) value {
	v := value{kind: vBool, flags: f}
	if b {
		v.num = 1
	}
	return v
}

func unknown(f flags) value { return value{flags: f} }

// hole is a number that is only known at run time.
func hole(name string) value {
	return value{kind: vNum, num: standIn, str: name, flags: fHole | fRuntime}
}

// truth is the value as a condition.
func (v value) truth() (yes, known bool) {
	switch v.kind {
	case vNum, vBool:
		if v.flags&(fHole|fClock|fRandom) != 0 {
			return true, false
		}
		return v.num != 0, true
	case vStr:
		return v.str != "", true
	case vNull:
		return false, true
	case vFunc, vNode, vRange:
		return true, true
	}
	return false, false
}

func (v value) numeric() bool { return v.kind == vNum || v.kind == vBool }

// env is the variables of one activation of a function.
type env struct {
	vars map[string]value
	up   *env
	fn   *node
}

func newEnv(up *env, fn *node) *env { return &env{vars: map[string]value{}, up: up, fn: fn} }

func (e *env) find(name string) (value, bool) {
	for ; e != nil; e = e.up {
		if v, ok := e.vars[name]; ok {
			return v, true
		}
	}
	return value{}, false
}

// set assigns to the innermost activation that has the variable, or makes it here.
func (e *env) set(name string, v value) {
	for s := e; s != nil; s = s.up {
		if _, ok := s.vars[name]; ok {
			s.vars[name] = v
			return
		}
	}
	e.vars[name] = v
}
