package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"retrylab/internal/atomicfile"
)

// State is what a collection has reached; it is kept in one JSON file.
type State struct {
	// Searches maps each finished search to what it found.
	Searches map[string][]Candidate `json:"searches"`
	// Clones maps each repository that was tried to its outcome.
	Clones map[string]Clone `json:"clones"`

	path string
}

// Clone is the outcome of cloning one repository.
type Clone struct {
	Dir    string `json:"dir,omitempty"`    // folder below the collection's, empty after a failure
	Commit string `json:"commit,omitempty"` // commit that was cloned
	Error  string `json:"error,omitempty"`  // why there is no clone
}

// LoadState reads a state file; a missing one is an empty state.
func LoadState(path string) (*State, error) {
	s := &State{Searches: map[string][]Candidate{}, Clones: map[string]Clone{}, path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: not a collection state: %w", path, err)
	}
	return s, nil
}

// Save writes the state whole.
func (s *State) Save() error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(s.path, append(text, '\n'))
}
