//go:build cgo

package treesit

import (
	"bytes"
	"strings"
	"testing"
)

func TestMaskBlanksOnlyFunctionsWithoutWords(t *testing.T) {
	code := `import os
MAX = 3

@decorator(
    "a")
def plain(x):
    """A long text
def fake(): sleep
    """ if False else '''
    '''
    return {
        "k": 1,
    }

class C:
    retries = 2

    async def quiet(self):
        # nothing
        return 1

    def again(self):
        def inner():
            return 2
        time.sleep(1)

    def tail(self): return "#"
x = 1
`
	got := string(maskPython([]byte(code)))
	if len(got) != len(code) || strings.Count(got, "\n") != strings.Count(code, "\n") {
		t.Fatalf("length %d lines %d, want %d and %d", len(got), strings.Count(got, "\n"), len(code), strings.Count(code, "\n"))
	}
	for _, keep := range []string{"import os", "MAX = 3", "class C:", "    retries = 2", "    def again(self):", "def inner():", "time.sleep(1)", "\nx = 1"} {
		if !strings.Contains(got, keep) {
			t.Errorf("%q must stay in\n%s", keep, got)
		}
	}
	for _, gone := range []string{"quiet", "tail", "nothing"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q must go from\n%s", gone, got)
		}
	}
	// "def fake(): sleep" is text inside a string of plain, so plain has a word.
	if !strings.Contains(got, "def plain(x)") {
		t.Errorf("plain contains a word and must stay in\n%s", got)
	}
}

func TestMaskedTextParses(t *testing.T) {
	code := []byte("class A:\n    def a(self):\n        return 1\n\n    @property\n    def b(self):\n        return 2\n\ndef c():\n    pass\n")
	masked := maskPython(code)
	if bytes.Equal(code, masked) {
		t.Fatal("nothing was masked")
	}
	u, err := langPython.read("a.py", masked, false)
	if err != nil || u.broken != 0 {
		t.Fatalf("masked text does not parse: %v, line %d:\n%s", err, u.broken, masked)
	}
}
