//go:build cgo

package treesit_test

import (
	"sync"
	"testing"

	"retrylab/study/finding"
	"retrylab/study/treesit"
)

// memoFiles shares what is built, as the scanner's trees do.
type memoFiles struct {
	files
	mu   sync.Mutex
	memo map[string]any
}

func (m *memoFiles) Memo(key string, build func() any) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.memo[key]; !ok {
		m.memo[key] = build()
	}
	return m.memo[key]
}

// TestConcurrentScans: several files that use the same helper file are scanned
// at once and find the same; run with -race.
func TestConcurrentScans(t *testing.T) {
	tree := &memoFiles{memo: map[string]any{}, files: files{
		"lib/again.py": "def retrying(limit=3):\n    def deco(f):\n        def inner():\n            for attempt in range(limit):\n                try:\n                    return f()\n                except IOError:\n                    time.sleep(2)\n        return inner\n    return deco\n",
	}}
	use := "from lib.again import retrying\n@retrying(limit=5)\ndef f(): pass\n"
	list, _ := treesit.Detectors()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				found, err := list[0].Scan(&finding.File{Path: "app/use.py", Text: []byte(use), Tree: tree})
				if err != nil || len(found) != 1 || short(found[0]) != "5 constant" {
					t.Errorf("got %+v, %v", found, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}
