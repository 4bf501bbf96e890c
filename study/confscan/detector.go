// Package confscan is being written.
package confscan
import "retrylab/study/finding"
// Detector reads configuration files.
type Detector struct{}
// Name is "config".
func (Detector) Name() string { return "config" }
// Wants nothing yet.
func (Detector) Wants(string) bool { return false }
// Scan finds nothing yet.
func (Detector) Scan(*finding.File) ([]finding.Finding, error) { return nil, nil }
