//go:build cgo

package treesit

func maskPython(b []byte) []byte { return b }
