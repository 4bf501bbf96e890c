package policy_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"retrylab/policy"
)

// leaves lists the fields of a spec by their paths, with their values as a model file shows them.
func leaves(v reflect.Value, prefix string, to map[string]string) {
	for i := range v.NumField() {
		path := prefix + v.Type().Field(i).Tag.Get("yaml")
		if v.Field(i).Kind() == reflect.Struct {
			leaves(v.Field(i), path+".", to)
			continue
		}
		to[path] = fmt.Sprint(v.Field(i).Interface())
	}
}

// docs/arb.md answers all 23 questions, names every field of arb and states true defaults.
func TestARBPageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../docs/arb.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	leaves(reflect.ValueOf(policy.DefaultARB()), "", fields)

	named := map[string]bool{}
	answers := string(page)[:strings.Index(string(page), "## Open questions")]
	next := 1
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 6 {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(cells[1])); err == nil {
			check(t, "number of the question", n, next)
			next++
			if !strings.Contains(cells[3], "`") && n != 21 {
				t.Errorf("question %d names no field", n)
			}
			answers += cells[3] + "\n"
		}
	}
	check(t, "questions", next-1, 23)

	for _, m := range regexp.MustCompile("`([a-z_.]+): ([^`]+)`").FindAllStringSubmatch(answers, -1) {
		named[m[1]] = true
		if got, ok := fields[m[1]]; !ok {
			t.Errorf("%s is not a field of arb", m[1])
		} else if got != m[2] {
			t.Errorf("%s: the page says %s, the default is %s", m[1], m[2], got)
		}
	}
	for path := range fields {
		if !named[path] && !strings.HasPrefix(path, "retry.") {
			t.Errorf("field %s is not on the page", path)
		}
	}
}

// The breaker's answers to question 22 are those the page gives.
func TestARBPageBreaker(t *testing.T) {
	fields := map[string]string{}
	leaves(reflect.ValueOf(policy.DefaultStopBreaker()), "", fields)
	for path, want := range map[string]string{
		"trip.window": "10s", "trip.minimum_calls": "20", "trip.failure_ratio": "0.5", "trip.open": "30s", "trip.probes": "1",
	} {
		check(t, path, fields[path], want)
	}
}
