//go:build cgo

package treesit_test

import (
	"strings"
	"testing"

	"retrylab/study/finding"
	"retrylab/study/treesit"
)

// seeds are shapes that have hurt readers of source code before.
var seeds = []string{
	"", "\x00retry", "retry(", "while True: retry\n\ttry:", "for attempt in range(3):\n  try:\n    f()\n  except",
	"retry = retry = retry", "def retry(): return retry()", "x = {'max_retries': {'max_retries': 1}}",
	"class retry(retry): max_retries = max_retries", "while(retry){try{retry()}catch(e){retry--}}",
	"const retry = async (n = retry) => retry(n).catch(retry)", "retry => retry => retry", "`${retry`${retry}`}`",
	"class A{int MAX_RETRIES=MAX_RETRIES;void f(){for(;;){try{f();}catch(E e){f();}}}}",
	"setTimeout(retry, retry, retry); function retry(){setTimeout(retry)}", "\"\"\"retry", "'''\\", "#retry\\",
	"@retry(stop=stop_after_attempt(stop_after_attempt(1)))\ndef f(): pass", "\xff\xfe retry \xf0\x28",
	"from tenacity import *\n@retry\n", "max_retries = 10 ** 10 ** 10", "for i in range(1e308): retry",
	"let retries = -1 >>> 0; while (retries-- > 0) { try { await f(); break } catch { } }",
}

func fuzz(f *testing.F, path string) {
	for _, s := range seeds {
		f.Add(s)
	}
	list, _ := treesit.Detectors()
	f.Fuzz(func(t *testing.T, text string) {
		file := &finding.File{Path: path, Text: []byte(text), Tree: finding.NoTree{}}
		lines := strings.Count(text, "\n") + 1
		for _, d := range list {
			if !d.Wants(path) {
				continue
			}
			found, err := d.Scan(file)
			if err != nil && strings.Contains(err.Error(), "internal error") {
				t.Fatal(err)
			}
			for _, x := range found {
				x.Finish(file)
				if x.Line < 1 || x.Line > lines || x.SpanEnd < x.Line || x.SpanEnd > lines {
					t.Fatalf("lines %d to %d of %d: %+v", x.Line, x.SpanEnd, lines, x)
				}
				if x.TotalAttempts < 0 || x.Unlimited && x.TotalAttempts != 0 || x.Base < 0 || x.Cap < 0 {
					t.Fatalf("impossible numbers: %+v", x)
				}
			}
		}
	})
}

func FuzzPython(f *testing.F)     { fuzz(f, "a.py") }
func FuzzJava(f *testing.F)       { fuzz(f, "A.java") }
func FuzzJavaScript(f *testing.F) { fuzz(f, "a.js") }
func FuzzTypeScript(f *testing.F) { fuzz(f, "a.ts") }
func FuzzTSX(f *testing.F)        { fuzz(f, "a.tsx") }

// TestHostileFiles: nesting, size and noise must neither crash nor hang.
func TestHostileFiles(t *testing.T) {
	list, _ := treesit.Detectors()
	deep := 20000
	texts := map[string]string{
		"brackets":      "retry = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep),
		"open brackets": "retry = " + strings.Repeat("[", deep),
		"calls":         "retry" + strings.Repeat("(retry", deep/4),
		"blocks":        strings.Repeat("{", deep) + " retry ",
		"ifs":           "function retry(){" + strings.Repeat("if(retry){", 3000) + strings.Repeat("}", 3000) + "}",
		"chain":         "x = retry" + strings.Repeat(".retry()", 5000),
		"sum":           "retries = 1" + strings.Repeat(" + 1", 20000),
		"long line":     "retry = '" + strings.Repeat("a", 1<<20) + "'",
		"noise":         strings.Repeat("retry )]}>*&^ while ( try except catch ; def class @ \n", 800),
		"large":         strings.Repeat("x = retry\n", 500000),
		"binary":        "retry\x00\x01\x02",
	}
	for name, text := range texts {
		for _, p := range []string{"a.py", "A.java", "a.js", "a.ts", "a.tsx"} {
			t.Run(name+"/"+p, func(t *testing.T) {
				for _, d := range list {
					if d.Wants(p) {
						found, err := d.Scan(&finding.File{Path: p, Text: []byte(text), Tree: finding.NoTree{}})
						if err != nil && strings.Contains(err.Error(), "internal error") {
							t.Error(err)
						}
						if name == "large" && err == nil && len(text) > 4<<20 {
							t.Errorf("a file that is too large must be reported, got %d findings", len(found))
						}
						if name == "binary" && err == nil {
							t.Error("binary content must be reported")
						}
					}
				}
			})
		}
	}
}

// TestBrokenSyntaxKeepsTheRest: what can be understood is found, and the error
// names the place.
func TestBrokenSyntaxKeepsTheRest(t *testing.T) {
	list, _ := treesit.Detectors()
	code := "def broken():\n    x = = retry\n\ndef ok(op):\n    for attempt in range(3):\n        try:\n            return op()\n        except IOError:\n            time.sleep(1)\n"
	found, err := list[0].Scan(&finding.File{Path: "src/a.py", Text: []byte(code), Tree: finding.NoTree{}})
	if err == nil || !strings.Contains(err.Error(), "src/a.py:2") {
		t.Errorf("error %v must name src/a.py:2", err)
	}
	if len(found) == 0 || found[len(found)-1].TotalAttempts != 3 && found[0].TotalAttempts != 3 {
		t.Errorf("the sound function must be found, got %+v", found)
	}
}

func TestWants(t *testing.T) {
	list, _ := treesit.Detectors()
	for p, want := range map[string]string{
		"a.py": "python", "a.pyi": "python", "A.java": "java", "a.mjs": "javascript", "a.jsx": "javascript", "a.ts": "typescript",
		"a.tsx": "typescript", "a.min.js": "", "a.d.ts": "", "a.go": "", "a": "",
	} {
		got := ""
		for _, d := range list {
			if d.Wants(p) {
				got += d.Name()
			}
		}
		if got != want {
			t.Errorf("%s: wanted by %q, want %q", p, got, want)
		}
	}
}
