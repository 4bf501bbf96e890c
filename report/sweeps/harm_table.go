package sweeps

import (
	"cmp"
	"math"
	"slices"

	"retrylab/analysis"
	"retrylab/report/table"
)

// harmRow is a cell of the harm map: a point with and without retries.
type harmRow struct {
	nr, sr        *cell
	during, after harmPhase
}

// harmPhase is what retries change for requests that arrived in a phase.
type harmPhase struct {
	analysis.Difference
	twoGroups bool // the trials' differences fall into two groups
}

// panelKey are the factors that are the same within a panel.
type panelKey struct {
	retriesAt, workers, abandoned string
	room, timeout                 float64
}

func (r *harmRow) key() panelKey {
	return panelKey{r.nr.text("retries_at"), r.nr.text("workers"), r.nr.text("abandoned"), r.nr.number("room"), r.nr.number("timeout_s")}
}

// harmRows pairs the cells.
func harmRows(d *data) []harmRow {
	var rows []harmRow
	for _, g := range d.byPoint() {
		if len(g) != 2 {
			continue
		}
		r := harmRow{nr: g[0], sr: g[1]}
		r.during, r.after = r.phase(successDuring), r.phase(successAfter)
		rows = append(rows, r)
	}
	return rows
}

func (r *harmRow) phase(of share) harmPhase {
	return harmPhase{r.sr.minus[of], r.sr.humpsFrom(r.nr, of)}
}

// harmTable is the map as rows, for readers and for the ledger of claims.
func harmTable(rows []harmRow) *table.Table {
	t := &table.Table{Name: "harm-map", Label: "Harm map", Title: "Retries minus none, success per arrival, paired"}
	for i := range rows {
		r := &rows[i]
		s := &columnSet{}
		k := r.key()
		s.add("retries_at", table.Text(k.retriesAt))
		s.add("workers", table.Text(k.workers))
		s.add("abandoned", table.Text(k.abandoned))
		s.add("room", table.Number(k.room))
		s.add("timeout_s", table.Number(k.timeout))
		s.add("utilization", table.Number(r.nr.number("utilization")))
		s.add("p", table.Number(r.nr.number("p")))
		s.add("trials", table.Int(int64(r.during.N)))
		s.add("success_during_nr", table.Number(r.nr.over(successDuring).Estimate))
		s.add("success_during_sr", table.Number(r.sr.over(successDuring).Estimate))
		s.interval("difference_during", asDifference(r.during.Interval))
		s.add("two_humps_during", table.Int(boolToInt(r.during.twoGroups)))
		s.add("success_after_nr", table.Number(r.nr.over(successAfter).Estimate))
		s.add("success_after_sr", table.Number(r.sr.over(successAfter).Estimate))
		s.interval("difference_after", asDifference(r.after.Interval))
		s.add("two_humps_after", table.Int(boolToInt(r.after.twoGroups)))
		collapseNR, _ := r.nr.collapsed()
		collapse, staying := r.sr.collapsed()
		s.add("collapsed_nr", table.Number(collapseNR.Estimate))
		s.interval("collapsed_sr", collapse)
		s.interval("staying_down_sr", staying)
		s.add("raf_client_sr", table.Number(r.sr.over(rafClient).Estimate))
		s.add("variance_ratio_during", table.Number(r.during.VarianceRatio))
		s.into(t)
	}
	return t
}

// panel is one heat map: rows by p, columns by utilization.
type harmPanel struct {
	key  panelKey
	rows map[[2]float64]*harmRow // by p and utilization
	ps   []float64
	us   []float64
}

func harmPanels(rows []harmRow) map[panelKey]*harmPanel {
	panels := map[panelKey]*harmPanel{}
	for i := range rows {
		r := &rows[i]
		p := panels[r.key()]
		if p == nil {
			p = &harmPanel{key: r.key(), rows: map[[2]float64]*harmRow{}}
			panels[r.key()] = p
		}
		fail, u := r.nr.number("p"), r.nr.number("utilization")
		p.rows[[2]float64{fail, u}] = r
		p.ps, p.us = insert(p.ps, fail), insert(p.us, u)
	}
	return panels
}

func insert(list []float64, x float64) []float64 {
	if slices.Contains(list, x) {
		return list
	}
	list = append(list, x)
	slices.Sort(list)
	return list
}

// sortedKeys orders panels: who, workers, room, abandoned, longest timeout first after none.
func sortedKeys(panels map[panelKey]*harmPanel) []panelKey {
	var keys []panelKey
	for k := range panels {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b panelKey) int {
		return cmp.Or(cmp.Compare(a.retriesAt, b.retriesAt), cmp.Compare(a.workers, b.workers), cmp.Compare(a.room, b.room),
			cmp.Compare(b.abandoned, a.abandoned), cmp.Compare(timeoutOrder(a.timeout), timeoutOrder(b.timeout)))
	})
	return keys
}

func timeoutOrder(timeout float64) float64 {
	if timeout == 0 {
		return -math.MaxFloat64
	}
	return -timeout
}

// boundaryTable says, for each panel and failure probability, from which utilization on retries harm during the
// fault and after it.
func boundaryTable(panels map[panelKey]*harmPanel) *table.Table {
	t := &table.Table{Name: "boundary", Label: "Boundary", Title: "Utilization at which the difference passes zero"}
	for _, k := range sortedKeys(panels) {
		p := panels[k]
		for _, fail := range p.ps {
			s := &columnSet{}
			s.add("retries_at", table.Text(k.retriesAt))
			s.add("workers", table.Text(k.workers))
			s.add("abandoned", table.Text(k.abandoned))
			s.add("room", table.Number(k.room))
			s.add("timeout_s", table.Number(k.timeout))
			s.add("p", table.Number(fail))
			during := p.crossing(fail, 0, func(r *harmRow) analysis.Interval { return r.during.Interval })
			s.interval("utilization_during", during)
			after := p.crossing(fail, -0.05, func(r *harmRow) analysis.Interval { return r.after.Interval })
			s.interval("utilization_after", after)
			s.add("harm_everywhere_during", table.Int(boolToInt(p.everywhere(fail))))
			s.add("warnings", table.Text(warnings(named{"utilization_during", during}, named{"utilization_after", after})))
			s.into(t)
		}
	}
	return t
}

// crossing is where along utilization a difference passes a value.
func (p *harmPanel) crossing(fail, target float64, of func(*harmRow) analysis.Interval) analysis.Interval {
	var us []float64
	var at []analysis.Interval
	for _, u := range p.us {
		if r := p.rows[[2]float64{fail, u}]; r != nil {
			us, at = append(us, u), append(at, of(r))
		}
	}
	return analysis.Crossing(us, at, target)
}

// everywhere tells whether retries harm during the fault at every utilization of the map.
func (p *harmPanel) everywhere(fail float64) bool {
	for _, u := range p.us {
		if r := p.rows[[2]float64{fail, u}]; r != nil && r.during.Excludes(0) >= 0 {
			return false
		}
	}
	return true
}
