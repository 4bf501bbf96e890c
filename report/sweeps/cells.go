package sweeps

import (
	"strings"

	"retrylab/analysis"
	"retrylab/report/table"
	"retrylab/results"
)

// columnSet builds a table's fields and rows together.
type columnSet struct {
	fields []string
	values []table.Value
}

func (s *columnSet) add(name string, v table.Value) {
	s.fields = append(s.fields, name)
	s.values = append(s.values, v)
}

// interval adds an estimate and its ends.
func (s *columnSet) interval(name string, i analysis.Interval) {
	s.add(name, table.Number(i.Estimate))
	s.add(name+"_lo", table.Number(i.Low))
	s.add(name+"_hi", table.Number(i.High))
}

// factorsOf adds a cell's factors.
func (s *columnSet) factorsOf(d *data, c *cell) {
	for _, f := range d.factors {
		v := c.factors[f.Name]
		if f.Kind == results.String {
			s.add(f.Name, table.Text(v.Text))
		} else {
			s.add(f.Name, table.Number(v.Float))
		}
	}
}

// into appends the row to the table, which takes its fields from the first.
func (s *columnSet) into(t *table.Table) {
	if t.Fields == nil {
		t.Fields = s.fields
	}
	t.Add(s.values...)
}

// cellsTable has a row for every cell with all statistics.
func cellsTable(d *data) *table.Table {
	t := &table.Table{Name: "cells", Label: "Cells", Title: "All cells"}
	wanted := d.wanted()
	for _, c := range d.cells {
		s := &columnSet{}
		s.add("cell", table.Text(c.Cell.Cell))
		s.factorsOf(d, c)
		s.add("strategy", table.Text(c.Strategy))
		s.add("trials", table.Int(int64(c.trials)))
		s.interval("success", asShare(c.over(successAll)))
		s.interval("raf_client", c.over(rafClient))
		s.add("wasted_share", table.Number(c.over(wasted).Estimate))
		if c.hasFaults() {
			c.addFaultColumns(s)
		} else if withFaults(d) {
			addEmpty(s, faultColumns)
		}
		_, two := c.humps(successAll)
		s.add("two_humps", table.Int(boolToInt(two)))
		marked, _ := c.marked(wanted)
		s.add("warnings", table.Text(warnings(marked...)))
		s.into(t)
	}
	return t
}

var faultColumns = []string{"success_during", "success_during_lo", "success_during_hi", "success_after", "success_after_lo", "success_after_hi",
	"collapse", "collapse_lo", "collapse_hi", "staying_down", "staying_down_lo", "staying_down_hi", "recovery_s", "recovery_s_lo", "recovery_s_hi"}

func (c *cell) addFaultColumns(s *columnSet) {
	s.interval("success_during", asShare(c.over(successDuring)))
	s.interval("success_after", asShare(c.over(successAfter)))
	collapse, staying := c.collapsed()
	s.interval("collapse", collapse)
	s.interval("staying_down", staying)
	s.interval("recovery_s", c.recovery)
}

func addEmpty(s *columnSet, names []string) {
	for _, n := range names {
		s.add(n, table.None)
	}
}

func withFaults(d *data) bool {
	for _, c := range d.cells {
		if c.hasFaults() {
			return true
		}
	}
	return false
}

func boolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// named is an interval with the column of its estimate.
type named struct {
	name string
	analysis.Interval
}

// warnings are those of intervals, each with the column it is about.
func warnings(list ...named) string {
	var all []string
	for _, i := range list {
		for _, w := range i.Warnings {
			all = append(all, i.name+": "+w)
		}
	}
	return strings.Join(all, "; ")
}

// pairsTable has a row for every point and every strategy but the first, with the paired differences from the
// first. P-values are corrected over all rows (Holm).
func pairsTable(d *data) *table.Table {
	if len(d.strategies) < 2 {
		return nil
	}
	t := &table.Table{Name: "pairs", Label: "Pairs", Title: "Paired differences from " + d.strategies[0]}
	var sets []*columnSet
	var pValues []float64
	for _, group := range d.byPoint() {
		base := group[0]
		for _, c := range group[1:] {
			diff := c.minus[successAll]
			s := &columnSet{}
			s.factorsOf(d, c)
			s.add("strategy", table.Text(c.Strategy))
			s.add("baseline", table.Text(base.Strategy))
			s.add("trials", table.Int(int64(diff.N)))
			s.interval("difference_success", asDifference(diff.Interval))
			s.add("variance_ratio", table.Number(diff.VarianceRatio))
			if c.hasFaults() {
				s.interval("difference_during", asDifference(c.minus[successDuring].Interval))
				s.interval("difference_after", asDifference(c.minus[successAfter].Interval))
			} else if withFaults(d) {
				addEmpty(s, []string{"difference_during", "difference_during_lo", "difference_during_hi", "difference_after", "difference_after_lo", "difference_after_hi"})
			}
			sets = append(sets, s)
			pValues = append(pValues, diff.PValue)
		}
	}
	for i, p := range analysis.Holm(pValues) {
		sets[i].add("p_holm", table.P(p))
		sets[i].into(t)
	}
	return t
}
