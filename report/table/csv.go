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
	records = append(records, t.Fields)
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, value := range row {
			record[i] = value.Raw()
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		panic(fmt.Sprintf("table %s: writing to memory: %v", t.Name, err))
	}
	return out.Bytes()
}
