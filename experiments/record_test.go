package experiments

import (
	"reflect"
	"testing"

	"retrylab/engine"
	"retrylab/policy"
	"retrylab/results"
)

// fill gives every number below v another value, from n on, and tells the next one.
func fill(v reflect.Value, n int64) int64 {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n = fill(v.Field(i), n)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			n = fill(v.Index(i), n)
		}
	case reflect.Int64, reflect.Int32:
		v.SetInt(n)
		n++
	case reflect.Float64:
		v.SetFloat(float64(n))
		n++
	}
	return n
}

// sameNames compares every column of a row that has the name of a tally's field with it; renamed columns are
// looked up under their field's name. It counts the columns compared.
func sameNames(t *testing.T, row, tally any, renamed map[string]string) int {
	t.Helper()
	r, y, n := reflect.ValueOf(row), reflect.ValueOf(tally), 0
	for i := range r.NumField() {
		name := r.Type().Field(i).Name
		field := name
		if other := renamed[name]; other != "" {
			field = other
		}
		f := y.FieldByName(field)
		if !f.IsValid() || f.Type() != r.Field(i).Type() {
			continue
		}
		n++
		if f.Interface() != r.Field(i).Interface() {
			t.Errorf("%s: %v, the tally's %s is %v", name, r.Field(i), field, f)
		}
	}
	return n
}

func recordCell(t *testing.T) *Cell {
	t.Helper()
	src, err := ParseSource("m.yaml", []byte(`
name: m
clients: [{name: x, call: {to: A}}, {name: y, call: {to: A, policy: retry}}]
services: [{name: A, servers: 3, calls: [{to: B}]}, {name: B, servers: 0}]
`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compose(Parts{Model: src})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every column gets the count that it is named after: a tally in which all numbers differ shows each mix-up.
func TestEveryColumnHasItsCount(t *testing.T) {
	c := recordCell(t)
	y := engine.Tally{
		Clients: make([]engine.ClientTally, 2), Services: make([]engine.ServiceTally, 2), Edges: make([]engine.EdgeTally, 3),
		Windows: make([]engine.Window, 2),
	}
	n := int64(1000)
	n = fill(reflect.ValueOf(&y.Events).Elem(), n)
	n = fill(reflect.ValueOf(&y.End).Elem(), n)
	for i := range y.Clients {
		n = fill(reflect.ValueOf(&y.Clients[i]).Elem(), n)
	}
	for i := range y.Services {
		n = fill(reflect.ValueOf(&y.Services[i]).Elem(), n)
	}
	for i := range y.Edges {
		n = fill(reflect.ValueOf(&y.Edges[i]).Elem(), n)
	}
	for i := range y.Windows {
		n = fill(reflect.ValueOf(&y.Windows[i]).Elem(), n)
	}
	y.Windows[0].Station, y.Windows[1].Station = 1, 2
	rec := recorder{seed: 9}
	r := new(Rows)
	rec.record(r, c, 4, &y, allDetails)

	for i, s := range r.Services {
		if got := sameNames(t, s, y.Services[i], map[string]string{"TimedOut": "Abandoned"}); got != 17 || s.Position != int64(i) || s.Trial != 4 {
			t.Errorf("%d columns of services compared; %+v", got, s)
		}
	}
	if r.Services[0].Service != "A" || r.Services[0].Servers != 3 || r.Services[1].Servers != 0 {
		t.Errorf("services %+v", r.Services)
	}
	for i, w := range r.Windows {
		y.Windows[i].Index = 0 // another type than its column
		if got := sameNames(t, w, y.Windows[i], nil); got != 15 {
			t.Errorf("%d columns of windows compared", got)
		}
	}
	if w := r.Windows; w[0].Station != "y" || !w[0].IsClient || w[0].Servers != 0 || w[1].Station != "A" || w[1].IsClient || w[1].Servers != 3 {
		t.Errorf("windows %+v", w)
	}
	checkEdges(t, r, &y)
	checkTrial(t, &r.Trial, &y)
}

func checkEdges(t *testing.T, r *Rows, y *engine.Tally) {
	t.Helper()
	for i, e := range r.Edges {
		k := y.Edges[i]
		want := results.Edge{
			Experiment: "m", Cell: "m/model/model", Strategy: "model", Scenario: "model", Trial: 4,
			Edge: []string{"x>A", "y>A", "A>B"}[i], Policy: []string{"none", "retry", "none"}[i],
			Calls: k.Calls, CallsSucceeded: k.CallsEnded[0], CallsBlocked: k.CallsEnded[5],
			Attempts: k.Attempts, AttemptsRetry: k.Retries, AttemptsEndedFirst: k.EndedFirst,
			AttemptsEnded: k.Ended[0] + k.Ended[1] + k.Ended[2] + k.Ended[3] + k.Ended[4] + k.Ended[5] + k.Ended[6],
			Succeeded:     k.Ended[0], Failed: k.Ended[1], TimedOut: k.Ended[2], Rejected: k.Ended[3] + k.Ended[4],
			DeniedOutcome: k.Denied[1], DeniedLimit: k.Denied[2], DeniedBudget: k.Denied[3], DeniedCoin: k.Denied[4],
			DeniedBreaker: k.Denied[5], DeniedSignal: k.Denied[6], DeniedDeadline: k.Denied[7],
			BackoffNs: k.BackoffNs, Signalled: k.SignalledOn,
		}
		for _, d := range compareStructs(want.Edge, want, e) {
			t.Error(d)
		}
	}
}

func checkTrial(t *testing.T, row *results.Trial, y *engine.Tally) {
	t.Helper()
	a, b, e, f := y.Clients[0], y.Clients[1], y.Edges[0], y.Edges[1]
	ended := func(o policy.Outcome) int64 { return a.Ended[o] + b.Ended[o] }
	sent := func(o policy.Outcome) int64 { return e.Ended[o] + f.Ended[o] }
	phase := func(i int) engine.PhaseTally {
		return engine.PhaseTally{Requests: a.Phases[i].Requests + b.Phases[i].Requests, Succeeded: a.Phases[i].Succeeded + b.Phases[i].Succeeded,
			Unfinished: a.Phases[i].Unfinished + b.Phases[i].Unfinished}
	}
	want := results.Trial{
		Experiment: "m", Cell: "m/model/model", Model: "m", Strategy: "model", Scenario: "model", Trial: 4, Seed: 9,
		Environment: row.Environment, Events: y.Events, EndNs: y.End,
		Requests: a.Requests + b.Requests, RequestsSucceeded: ended(policy.Success), RequestsFailed: ended(policy.Failed) + ended(policy.Cancelled),
		RequestsTimedOut: ended(policy.TimedOut), RequestsRejected: ended(policy.Rejected) + ended(policy.Shed), RequestsBlocked: ended(policy.Blocked),
		RequestsUnfinished: a.Requests + b.Requests - sum(a.Ended[:]) - sum(b.Ended[:]),
		AttemptsSent:       e.Attempts + f.Attempts, AttemptsRetry: e.Retries + f.Retries, AttemptsEnded: sum(e.Ended[:]) + sum(f.Ended[:]),
		AttemptsEndedFirst: e.EndedFirst + f.EndedFirst, AttemptsSucceeded: sent(policy.Success), AttemptsFailed: sent(policy.Failed),
		AttemptsTimedOut: sent(policy.TimedOut), AttemptsRejected: sent(policy.Rejected) + sent(policy.Shed),
		AttemptsAllServices: y.Services[0].Attempts + y.Services[1].Attempts,
		LatencyNsSum:        a.LatencySum + b.LatencySum, LatencyNsP50: -1, LatencyNsP90: -1, LatencyNsP99: -1,
		WorkNs: y.Services[0].WorkNs + y.Services[1].WorkNs, WastedNs: y.Services[0].WastedNs + y.Services[1].WastedNs,
		RequestsBefore: phase(0).Requests, SucceededBefore: phase(0).Succeeded,
		RequestsDuring: phase(1).Requests, SucceededDuring: phase(1).Succeeded,
		RequestsAfter: phase(2).Requests, SucceededAfter: phase(2).Succeeded, UnfinishedAfter: phase(2).Unfinished,
		RecoveryNs: -1,
	}
	for _, d := range compareStructs("trial", want, *row) {
		t.Error(d)
	}
}

func TestCellRow(t *testing.T) {
	row := cellRow(recordCell(t), 12)
	if row.Trials != 12 || row.FaultFromNs != -1 || row.FaultToNs != -1 || row.OfferedPerS != 1000 || row.DurationNs != 60e9 || row.WindowNs != 1e9 {
		t.Errorf("%+v", row)
	}
	c := recordCell(t)
	faulty, err := ParseSource("f.yaml", []byte("faults: [{services: [A], p: 1, from: 5s, to: 9s}, {services: [B], p: 1, from: 2s, to: 3s}]"))
	if err != nil {
		t.Fatal(err)
	}
	src, err := ParseSource("m.yaml", c.YAML())
	if err != nil {
		t.Fatal(err)
	}
	if c, err = Compose(Parts{Model: src, Scenario: faulty}); err != nil {
		t.Fatal(err)
	}
	if row := cellRow(c, 1); row.FaultFromNs != 2e9 || row.FaultToNs != 9e9 || row.Scenario != "f" {
		t.Errorf("%+v", row)
	}
}

func TestOffered(t *testing.T) {
	for _, c := range []struct {
		arrivals string
		want     float64
	}{
		{"{rate: 70}", 70},
		{"{kind: constant, rate: 20}", 20},
		{"{kind: closed, users: 5}", 0},
		{"{kind: on_off, rate: 100, off_rate: 10, on: 1s, off: 3s}", (3*100 + 7*10) / 10.0}, // on for 3 of 10 s: 0-1, 4-5, 8-9
		{"{kind: piecewise, rate: 10, steps: [{at: 4s, rate: 100}, {at: 5s, rate: 20}, {at: 20s, rate: 999}]}", (40 + 100 + 100) / 10.0},
	} {
		src, err := ParseSource("m.yaml", []byte("duration: 10s\nclients: [{arrivals: "+c.arrivals+", call: {to: A}}]\nservices: [{name: A}]"))
		if err != nil {
			t.Fatal(err)
		}
		cell, err := Compose(Parts{Model: src})
		if err != nil {
			t.Fatal(err)
		}
		if got := cellRow(cell, 1).OfferedPerS; got != c.want {
			t.Errorf("%s: %v, want %v", c.arrivals, got, c.want)
		}
	}
}
