// Package facts holds what others have published, as data: every figure that
// the paper prints (paper.json) and the results of the authors' own run of their
// program (authors.json), to more digits than the paper prints.
//
// The paper is Retry Amplification in Distributed Systems, arXiv v1, 2026-08-26,
// DOI 10.2139/ssrn.6313332. The authors' run is published with their code,
// repository darkrishabh/retry-amplification-research, commit ed91511.
package facts

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed paper.json
var paperJSON []byte

//go:embed authors.json
var authorsJSON []byte

// Paper returns the paper's figures. Callers must not change the value's slices and maps.
var Paper = sync.OnceValue(func() *PaperValues { return decode[PaperValues](paperJSON) })

var authors = sync.OnceValue(func() map[[2]string]AuthorsCell {
	file := decode[struct {
		About string        `json:"about"`
		Cells []AuthorsCell `json:"cells"`
	}](authorsJSON)
	cells := make(map[[2]string]AuthorsCell, len(file.Cells))
	for _, cell := range file.Cells {
		cells[[2]string{cell.Strategy, cell.Scenario}] = cell
	}
	return cells
})

// Authors returns the authors' own result for a strategy and a scenario; false if there is none.
func Authors(strategy, scenario string) (AuthorsCell, bool) {
	cell, ok := authors()[[2]string{strategy, scenario}]
	return cell, ok
}

// AuthorsCell is a cell of the authors' own 100-trial run.
type AuthorsCell struct {
	// Strategy and Scenario name the cell.
	Strategy string `json:"strategy"`
	Scenario string `json:"scenario"`
	// SuccessPct is successful attempts over ended attempts, in percent.
	SuccessPct float64 `json:"success_pct"`
	// SuccessHalf is the half-width of its 95% interval, in percentage points.
	SuccessHalf float64 `json:"success_half"`
	// RAF is ended attempts over ended first attempts.
	RAF float64 `json:"raf"`
	// RAFHalf is the half-width of its 95% interval.
	RAFHalf float64 `json:"raf_half"`
}

// decode reads an embedded file. A file that does not decode is a programming error.
func decode[T any](text []byte) *T {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	value := new(T)
	if err := decoder.Decode(value); err != nil {
		panic(fmt.Sprintf("facts: embedded file: %v", err))
	}
	return value
}
