package report

import (
	"slices"

	"retrylab/analysis"
	"retrylab/report/table"
)

// builders are all tables in the order in which a report shows them, by the stem of their files. A
// builder returns nil if the run has nothing for it.
var builders = []struct {
	name  string
	build func(*data) (*table.Table, error)
}{
	{"table1", studyTable},
	{"study", ownStudyTable},
	{"study-languages", studyLanguagesTable},
	{"study-patterns", studyPatternsTable},
	{"study-flow", studyFlowTable},
	{"table2", predictedTable},
	{"table3", successTable},
	{"table4", rafTable},
	{"table5", approachesTable},
	{"causes", causesTable},
	{"models", modelsTable},
	{"variants", variantsTable},
	{"arb-lens", lensTable},
	{"transient", transientTable},
	{"timeouts", timeoutsTable},
	{"cells", cellsTable},
}

// buildTables makes all tables, each with the notice in front of its method.
func buildTables(d *data, notice string) ([]*table.Table, error) {
	var tables []*table.Table
	for _, b := range builders {
		t, err := b.build(d)
		if err != nil {
			return nil, err
		}
		if t != nil {
			t.Name, t.Notice = b.name, notice
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// The paper's strategies and scenarios, in its order.
var (
	paperStrategies = []string{"NR", "SR", "CB", "ARB"}
	paperScenarios  = []string{"S1", "S2", "S3"}
)

// interval is the three values of an estimate with its interval; an infinite end is missing.
func interval(i analysis.Interval) []table.Value {
	return []table.Value{table.Number(i.Estimate), table.Number(i.Low), table.Number(i.High)}
}

// warn puts an interval's warnings under the last row, except those that do not matter there.
func warn(t *table.Table, field string, i analysis.Interval, except ...string) {
	for _, text := range i.Warnings {
		if !slices.Contains(except, text) {
			t.Note(field, table.UpperFirst(text)+".")
		}
	}
}
