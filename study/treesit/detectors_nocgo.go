//go:build !cgo

package treesit

import "retrylab/study/finding"

// Detectors returns no detectors in a build without a C compiler, and says which
// languages are left out.
func Detectors() (list []finding.Detector, leftOut string) {
	return nil, "Python, Java, JavaScript and TypeScript are left out: this build has no C compiler support (CGO_ENABLED=0), which tree-sitter needs"
}
