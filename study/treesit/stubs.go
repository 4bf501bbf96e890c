//go:build cgo

package treesit

func (s *scan) libraries()  {}
func (s *scan) settings()   {}

type apiTable struct{}

var pythonAPIs, javaAPIs, jsAPIs *apiTable

func maskPython(b []byte) []byte { return b }
