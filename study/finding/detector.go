package finding

import (
	"path"
	"strings"
)

// File is one source file as a detector gets it.
type File struct {
	// Repo, Commit and Path are as in Finding.
	Repo, Commit, Path string
	// Text is the whole file; the detector must not change or keep it.
	Text []byte
	// Tree reads other files of the same commit; never nil.
	Tree Tree
}

// Tree gives a detector read access to the repository a file belongs to, so
// that a constant or a helper defined in another file can be resolved on
// demand. All methods may be called from several goroutines.
type Tree interface {
	// Read returns the file's text, or an error when it does not exist, is
	// too large or is not text. Paths never leave the repository.
	Read(path string) ([]byte, error)
	// Dir lists the paths of the files directly in a directory ("" = root), sorted.
	Dir(dir string) []string
	// Named lists the paths whose last element is base, sorted.
	Named(base string) []string
	// Memo returns build's value, computed at most once per key and
	// repository (for parsed constant tables). build must not call Memo.
	Memo(key string, build func() any) any
}

// Detector recognises retry code in the files it wants.
type Detector interface {
	// Name identifies the detector in errors and records, such as "go".
	Name() string
	// Wants says by the path alone whether Scan should see the file.
	Wants(path string) bool
	// Scan returns the findings of one file, in any order. With broken syntax
	// it returns what it could still find together with an error that says
	// what it could not read. It never panics on bad input, keeps no state
	// between files (except through Tree.Memo) and is safe for concurrent use.
	Scan(f *File) ([]Finding, error)
}

var languages = map[string]string{
	".go": LangGo, ".py": LangPython, ".pyi": LangPython, ".java": LangJava,
	".js": LangJavaScript, ".jsx": LangJavaScript, ".mjs": LangJavaScript, ".cjs": LangJavaScript,
	".ts": LangTypeScript, ".tsx": LangTypeScript, ".mts": LangTypeScript, ".cts": LangTypeScript,
	".yaml": LangYAML, ".yml": LangYAML, ".json": LangJSON, ".properties": LangProperties,
}

// LanguageOf names the language by the file's extension; "" when not studied.
func LanguageOf(p string) string {
	return languages[strings.ToLower(path.Ext(p))]
}

// NoTree is a Tree with no other files, for tests and single files.
type NoTree struct{}

// Read always fails.
func (NoTree) Read(p string) ([]byte, error) { return nil, &notInTree{p} }

// Dir lists nothing.
func (NoTree) Dir(string) []string { return nil }

// Named lists nothing.
func (NoTree) Named(string) []string { return nil }

// Memo builds anew every time.
func (NoTree) Memo(_ string, build func() any) any { return build() }

type notInTree struct{ path string }

func (e *notInTree) Error() string { return e.path + ": not in the tree" }
