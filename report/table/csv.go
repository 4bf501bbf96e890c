package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// CSV renders the fields with raw values, header first, lines ended by \n.
func (t *Table) CSV() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	records := make([][]string, 0, len(t.Rows)+1)
	fields := len(t.Fields) - t.PrintOnly
	records = append(records, t.Fields[:fields])
	for _, row := range t.Rows {
		record := make([]string, fields)
		for i, value := range row[:fields] {
			record[i] = value.Raw()
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		panic(fmt.Sprintf("table %s: writing to memory: %v", t.Name, err))
	}
	return out.Bytes()
}
