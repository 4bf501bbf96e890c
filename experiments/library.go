package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"retrylab/internal/yamldoc"
)

//go:embed models/*.yaml scenarios/*.yaml strategies/*.yaml
var library embed.FS

// Source is a file that was read: an embedded one by its name, or a user's by its path.
type Source struct {
	// Name is what the file calls itself.
	Name string
	// File is where it came from: a path, or e.g. reference.yaml for an embedded one.
	File string
	// About is its description, one line.
	About string
	// Bytes is its contents.
	Bytes []byte
	// Embedded tells whether it is one of the program's own.
	Embedded bool

	tree     *yamldoc.Node
	problems yamldoc.Problems // what Compose reports with the rest
}

// Models lists the names of the embedded model files.
func Models() []string { return names("models") }

// Scenarios lists the names of the embedded scenario files.
func Scenarios() []string { return names("scenarios") }

// Strategies lists the names of the embedded strategy files.
func Strategies() []string { return names("strategies") }

func names(folder string) []string {
	entries, err := library.ReadDir(folder)
	if err != nil {
		panic(err) // the folder is embedded
	}
	var list []string
	for _, e := range entries {
		list = append(list, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(list) // the folder is sorted with the endings on
	return list
}

// LoadModel reads a model: an embedded one by name, or a file if the name has a slash or ends in
// .yaml or .yml, or is "-". The error is yamldoc.Problems for mistakes in it.
func LoadModel(name string) (*Source, error) { return load("models", "model", name) }

// LoadScenario reads a scenario, as LoadModel does.
func LoadScenario(name string) (*Source, error) { return load("scenarios", "scenario", name) }

// LoadStrategy reads a strategy, as LoadModel does.
func LoadStrategy(name string) (*Source, error) { return load("strategies", "strategy", name) }

func load(folder, word, name string) (*Source, error) {
	if NamesFile(name) {
		data, err := readFile(name)
		if err != nil {
			return nil, err
		}
		return ParseSource(name, data)
	}
	data, err := library.ReadFile(path.Join(folder, name+".yaml"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		known := names(folder)
		hint := yamldoc.Suggest(name, known)
		if hint == "" {
			hint = ", expected one of " + strings.Join(known, ", ") + " or a file that ends in .yaml"
		}
		return nil, yamldoc.Problems{{File: name, Text: fmt.Sprintf("unknown %s%s", word, hint)}}
	}
	if err != nil {
		return nil, err
	}
	s, err := ParseSource(name+".yaml", data)
	if s != nil {
		s.Embedded = true
	}
	return s, err
}

// readFile reads a file that a command line or another file names. That it is not there or no file is that one's mistake.
func readFile(name string) ([]byte, error) {
	data, err := yamldoc.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, yamldoc.Problems{{File: name, Text: "there is no such file"}}
	}
	if errors.Is(err, syscall.EISDIR) {
		return nil, yamldoc.Problems{{File: name, Text: "is a folder, expected a file"}}
	}
	return data, err
}

// NamesFile tells whether a name is that of a file, - being the standard input, and not of something embedded.
func NamesFile(name string) bool {
	return name == "-" || strings.Contains(name, "/") || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// ParseSource is a file with the given contents; file is its name in messages.
func ParseSource(file string, data []byte) (*Source, error) {
	tree, problems := yamldoc.Parse(file, data)
	if tree != nil && tree.Kind != yamldoc.Map {
		problems = append(problems, tree.Problem("", "is no mapping, expected keys with values"))
		tree = nil
	}
	if tree == nil {
		return nil, problems
	}
	s := &Source{File: file, Bytes: data, tree: tree, problems: problems}
	if n := tree.Get("name"); n != nil && n.Kind == yamldoc.Scalar {
		s.Name = n.Text
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".yaml"), ".yml")
	}
	if n := tree.Get("about"); n != nil && n.Kind == yamldoc.Scalar {
		s.About = n.Text
	}
	return s, nil
}
