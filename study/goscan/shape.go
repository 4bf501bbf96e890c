package goscan

import (
	"go/ast"
	"go/token"
	"strings"
	"time"

	"retrylab/study/finding"
)

func durationOf(ns float64) time.Duration { return time.Duration(ns) }

// describe fills the parts of a shape that do not depend on the form.
func (u *unit) describe(n ast.Node, body *ast.BlockStmt, w *flow) finding.Shape {
	s := finding.Shape{
		Operation:     mainCall(body) != nil,
		FailureWaits:  w.onFail.waits,
		FailureCounts: w.onFail.counts,
		Waits:         len(w.waits) > 0,
		RetryWord:     finding.RetryWord(u.fn.name),
		PollWord:      finding.PollWord(u.fn.name),
	}
	for _, x := range w.waits {
		s.SuccessWaits = s.SuccessWaits || x.in == well && s.FailureWaits
	}
	if c := mainCall(body); c != nil {
		s.SuccessWaits = s.SuccessWaits && afterwards(w.waits, c.Pos()) || u.ownPace(c)
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.Ident:
			s.RetryWord = s.RetryWord || finding.RetryWord(m.Name)
		case *ast.CallExpr:
			_, name := callee(m.Fun)
			s.PollWord = s.PollWord || finding.PollWord(name)
			if !pureCall(m) {
				for _, a := range m.Args {
					s.Cursor = s.Cursor || u.cursor(a, body)
				}
			}
		}
		return true
	})
	return s
}

// afterwards says whether success alone waits after the operation.
func afterwards(list []wait, op token.Pos) bool {
	for _, x := range list {
		if x.in == well && x.pos > op {
			return true
		}
	}
	return false
}

// cursor says whether an argument moves on with the answers (token, offset).
func (u *unit) cursor(a ast.Expr, body *ast.BlockStmt) bool {
	name := dotted(a)
	low := strings.ToLower(lastName(a))
	hit := false
	for _, w := range []string{"cursor", "marker", "pagetoken", "nexttoken", "offset", "continuation", "page", "nexturl", "lastid", "startafter"} {
		hit = hit || strings.Contains(low, w)
	}
	if !hit || name == "" {
		return false
	}
	moved := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				moved = moved || dotted(l) == name
			}
		case *ast.IncDecStmt:
			moved = moved || dotted(n.X) == name
		}
		return !moved
	})
	return moved
}

// purePackages do no work against a dependency.
var purePackages = map[string]bool{
	"fmt": true, "strings": true, "strconv": true, "errors": true, "math": true, "rand": true, "time": true, "sort": true,
	"bytes": true, "log": true, "logger": true, "log15": true, "klog": true, "logrus": true, "zap": true, "slog": true, "glog": true,
	"atomic": true, "unicode": true, "utf8": true, "slices": true, "maps": true, "filepath": true, "reflect": true,
	"context": true, "metrics": true, "json": true, "runtime": true, "zerolog": true, "rlog": true, "status": true, "codes": true, "wg": true, "assert": true, "require": true,
}

// pureNames are calls that cannot be the operation whatever their receiver.
var pureNames = map[string]bool{
	"len": true, "cap": true, "append": true, "make": true, "new": true, "copy": true, "delete": true, "panic": true, "close": true,
	"min": true, "max": true, "string": true, "int": true, "int64": true, "uint64": true, "float64": true, "byte": true, "error": true,
	"Error": true, "Errorf": true, "Wrap": true, "Wrapf": true, "Info": true, "Infof": true, "Warn": true, "Warnf": true, "Warning": true,
	"Warningf": true, "Debug": true, "Debugf": true, "Trace": true, "Tracef": true, "Print": true, "Printf": true, "Println": true,
	"Log": true, "Logf": true, "Fatal": true, "Fatalf": true, "Msg": true, "Msgf": true, "Infow": true, "Warnw": true, "Errorw": true, "Debugw": true,
	"Lock": true, "Unlock": true, "RLock": true, "RUnlock": true, "Done": true, "Err": true, "Add": true, "Inc": true, "Observe": true,
	"Sleep": true, "Reset": true, "Stop": true, "Duration": true, "Is": true, "As": true, "String": true, "WithField": true, "WithFields": true,
	"WithError": true, "IncrCounter": true, "Errorln": true, "Now": true, "Since": true, "cancel": true, "stop": true, "Code": true, "ctx": true,
	"Helper": true, "V": true, "With": true, "Store": true, "Load": true, "ErrorS": true, "InfoS": true, "Bytes": true, "StatusCode": true,
}

func pureCall(c *ast.CallExpr) bool {
	q, name := callee(c.Fun)
	low := strings.ToLower(name)
	return name == "" && !isFuncValue(c) || pureNames[name] || purePackages[strings.ToLower(q)] || strings.Contains(strings.ToLower(q), "log") || strings.Contains(low, "sleep") ||
		randomName(q, name) || strings.Contains(low, "backoff") || strings.HasPrefix(low, "log") || strings.Contains(low, "timer") ||
		strings.HasPrefix(name, "Is") && len(name) > 2
}

func isFuncValue(c *ast.CallExpr) bool {
	_, isLit := c.Fun.(*ast.FuncLit)
	return isLit
}

// mainCall picks the call that is most likely the operation: the first one that
// is no helper and whose result is tested or assigned, or else the first.
func mainCall(n ast.Node) *ast.CallExpr {
	var first, tested *ast.CallExpr
	consider := func(e ast.Node) {
		ast.Inspect(e, func(m ast.Node) bool {
			if c, isCall := m.(*ast.CallExpr); isCall && !pureCall(c) && tested == nil {
				tested = c
			}
			return tested == nil
		})
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.AssignStmt:
			if len(m.Lhs) > 0 && errLike(m.Lhs[len(m.Lhs)-1]) && tested == nil {
				consider(m.Rhs[len(m.Rhs)-1])
			}
		case *ast.CallExpr:
			if first == nil && !pureCall(m) {
				first = m
			}
		}
		return true
	})
	if tested != nil {
		return tested
	}
	return first
}

// localCall says whether an operation works on the same machine.
func localCall(q, name string) bool {
	switch q {
	case "os", "ioutil", "filepath", "syscall", "unix", "exec":
		return true
	case "net":
		return strings.HasPrefix(name, "Listen")
	}
	switch name {
	case "Accept", "AcceptTCP", "Flock", "TryLock", "CompareAndSwap":
		return true
	}
	return finding.LocalWord(name)
}
