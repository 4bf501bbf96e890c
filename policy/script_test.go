package policy_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab/policy"
)

var update = flag.Bool("update", false, "rewrite the transcripts under testdata/transcripts")

// A transcript is a script with the decisions written into it. Lines:
//
//	policy KIND [field=value ...]         a new policy, fields by their yaml path
//	env [base_rate=R] [phase=P]           reset in these surroundings
//	TIME fresh [coin=U]                   ask AllowFresh
//	TIME start N                          attempt N is sent
//	TIME end N OUTCOME [rtt=D] ...        attempt N ends
//	TIME retry N OUTCOME [coin=U] ...     ask Retry
//	TIME fail N [coin=U] [jitter=U] ...   end and retry of a failed attempt
//	TIME burst K COMMAND ...              the command K times, answers counted
//	TIME call OUTCOME N                   a call ends after N attempts
//	TIME state                            show the state
//
// Attempts take signal=calm|overloaded|urgent, rtt, prev, deadline (durations).
// An answer follows " -> ".
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compareLines(t, file, string(want), got)
			if again := play(t, string(want)); again != got {
				t.Error("the same script gave other decisions the second time")
			}
		})
	}
}

func compareLines(t *testing.T, file, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Errorf("%s:%d:\nwant %s\ngot  %s", file, i+1, a, b)
		}
	}
}

// play runs a script and returns it with the answers written in.
func play(t *testing.T, script string) string {
	t.Helper()
	var p player
	lines := strings.Split(script, "\n")
	for i, line := range lines {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line, _, _ = strings.Cut(line, " -> ")
		line = strings.TrimRight(line, " ")
		answer, err := p.do(strings.Fields(line))
		if err != nil {
			t.Fatalf("line %d: %q: %v", i+1, line, err)
		}
		if answer != "" {
			lines[i] = line + " -> " + answer
		}
	}
	return strings.Join(lines, "\n")
}

type player struct {
	pol policy.Policy
	now int64
}

func (p *player) do(f []string) (string, error) {
	switch f[0] {
	case "policy":
		spec, err := specOf(f[1], f[2:])
		if err != nil {
			return "", err
		}
		if pr := spec.Problems(); len(pr) > 0 {
			return "", fmt.Errorf("%v", pr)
		}
		p.pol, p.now = spec.New(), 0
		return "", nil
	case "env":
		var env policy.Env
		_, err := options(f[1:], map[string]*float64{"base_rate": &env.BaseRate, "phase": &env.Phase})
		p.pol.Reset(env)
		p.now = 0
		return "", err
	}
	at, err := time.ParseDuration(f[0])
	if err != nil {
		return "", err
	}
	if int64(at) < p.now {
		return "", fmt.Errorf("time goes backwards")
	}
	p.now = int64(at)
	if f[1] == "burst" {
		return p.burst(f[2], f[3:])
	}
	return p.event(f[1:])
}

// burst repeats a command and counts the distinct answers, in order of appearance.
func (p *player) burst(times string, f []string) (string, error) {
	n, err := strconv.Atoi(times)
	if err != nil {
		return "", err
	}
	var answers []string
	var counts []int
	for range n {
		a, err := p.event(f)
		if err != nil {
			return "", err
		}
		if len(answers) == 0 || answers[len(answers)-1] != a {
			answers, counts = append(answers, a), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	for i := range answers {
		answers[i] = fmt.Sprintf("%d x %s", counts[i], answers[i])
	}
	if answers[0] == fmt.Sprintf("%d x ", n) {
		return "", nil
	}
	return strings.Join(answers, ", "), nil
}

func (p *player) event(f []string) (string, error) {
	switch f[0] {
	case "state":
		return showState(p.pol.State(p.now)), nil
	case "fresh":
		var u float64
		_, err := options(f[1:], map[string]*float64{"coin": &u})
		return map[bool]string{true: "sent", false: "blocked"}[p.pol.AllowFresh(p.now, u)], err
	case "start":
		n, err := strconv.Atoi(f[1])
		p.pol.AttemptStart(p.now, n)
		return "", err
	case "call":
		n, err := strconv.Atoi(f[2])
		p.pol.CallEnd(p.now, outcomeOf(f[1]), n)
		return "", err
	case "fail":
		return p.attempt("fail", append([]string{f[1], "failed"}, f[2:]...))
	case "end", "retry":
		return p.attempt(f[0], f[1:])
	}
	return "", fmt.Errorf("unknown command")
}

func (p *player) attempt(verb string, f []string) (string, error) {
	a := policy.Attempt{Outcome: outcomeOf(f[1]), Pushback: -1}
	var err error
	if a.Number, err = strconv.Atoi(f[0]); err != nil {
		return "", err
	}
	var u policy.Draws
	rest, err := options(f[2:], map[string]*float64{"coin": &u.Coin, "jitter": &u.Jitter})
	if err != nil {
		return "", err
	}
	for _, o := range rest {
		k, v, _ := strings.Cut(o, "=")
		d, derr := time.ParseDuration(v)
		switch {
		case k == "signal":
			a.Signal = map[string]policy.Signal{"overloaded": policy.Overloaded, "urgent": policy.Urgent}[v]
		case derr != nil:
			return "", derr
		case k == "rtt":
			a.RTT = int64(d)
		case k == "prev":
			a.PrevDelay = int64(d)
		case k == "deadline":
			a.Deadline = int64(d)
		case k == "pushback":
			a.Pushback = int64(d)
		default:
			return "", fmt.Errorf("unknown option %s", k)
		}
	}
	if verb != "retry" {
		p.pol.AttemptEnd(p.now, &a)
	}
	if verb == "end" {
		return "", nil
	}
	return showDecision(p.pol.Retry(p.now, &a, u)), nil
}

func showDecision(d policy.Decision) string {
	if d.Deny != policy.Allowed {
		return "no: " + d.Deny.String()
	}
	return "retry after " + time.Duration(d.Delay).String()
}

func showState(s policy.State) string {
	return fmt.Sprintf("B=%s f=%s %s transitions=%d", short(s.Budget), short(s.FailureRate),
		[...]string{"closed", "half-open", "open"}[s.Breaker], s.Transitions)
}

// short rounds to 9 decimals, so that transcripts hold what was decided and not the last bit of a float.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'g', -1, 64)
}

func outcomeOf(name string) policy.Outcome {
	for o := policy.Success; o <= policy.Cancelled; o++ {
		if o.String() == name {
			return o
		}
	}
	panic("no outcome is called " + name)
}

// options sets the numbers that are asked for and returns the rest.
func options(words []string, numbers map[string]*float64) (rest []string, err error) {
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		to, ok := numbers[k]
		if !ok {
			rest = append(rest, w)
			continue
		}
		if *to, err = strconv.ParseFloat(v, 64); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// specOf is the catalog's default of a kind with fields changed, each as path=value.
func specOf(kind string, changes []string) (policy.Spec, error) {
	e, ok := policy.Find(kind)
	if !ok {
		return nil, fmt.Errorf("no policy is called %s", kind)
	}
	v := reflect.New(reflect.TypeOf(e.Default)).Elem()
	v.Set(reflect.ValueOf(e.Default))
	for _, c := range changes {
		path, val, _ := strings.Cut(c, "=")
		if err := setField(v, strings.Split(path, "."), val); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return v.Interface().(policy.Spec), nil
}

func setField(v reflect.Value, path []string, val string) error {
	if len(path) == 0 {
		return setValue(v, val)
	}
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("yaml") == path[0] {
			return setField(v.Field(i), path[1:], val)
		}
	}
	return fmt.Errorf("no such field")
}

func setValue(v reflect.Value, val string) error {
	switch x := v.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(val)
		*x = d
		return err
	case *string:
		*x = val
	case *bool:
		b, err := strconv.ParseBool(val)
		*x = b
		return err
	case *int:
		n, err := strconv.Atoi(val)
		*x = n
		return err
	case *float64:
		f, err := strconv.ParseFloat(val, 64)
		*x = f
		return err
	default:
		return fmt.Errorf("field of type %s", v.Type())
	}
	return nil
}
