package baseline_test

import (
	"testing"

	"retrylab/study/baseline"
	"retrylab/study/finding"
)

func scan(t *testing.T, d baseline.Detector, repo, path, text string) []finding.Finding {
	t.Helper()
	if !d.Wants(path) {
		return nil
	}
	list, err := d.Scan(&finding.File{Repo: repo, Path: path, Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The original's known faults are kept: they are what is compared.
func TestKnownBehaviour(t *testing.T) {
	var d baseline.Detector
	for _, c := range []struct {
		name, repo, path, text string
		want                   int
	}{
		{"decorator", "a/b", "x.py", "@retry(stop=1)\ndef f(): pass\n", 1},
		{"plural only: the gate skips the file", "a/b", "x.py", "max_retries = 3\n", 0},
		{"with the word", "a/b", "x.py", "# retry\nmax_retries = 3\n", 1},
		{"distributed contains dist", "dask/distributed", "x.py", "# retry\nmax_retries = 3\n", 0},
		{"latest contains test", "a/b", "latest/x.py", "@retry(1)", 0},
		{"hand-rolled loop", "a/b", "x.py", "for attempt in range(3):\n  try: retry()\n  except E: sleep(1)\n", 0},
		{"Go field", "a/b", "x.go", "// retry\nc.RetryMax = 5\n", 1},
		{"Java", "a/b", "X.java", "@Retryable(maxAttempts = 4)", 2},
		{"yaml is not read", "a/b", "x.yaml", "retry: {max_retries: 3}", 0},
	} {
		if got := scan(t, d, c.repo, c.path, c.text); len(got) != c.want {
			t.Errorf("%s: %d findings, want %d", c.name, len(got), c.want)
		}
	}
	if got := scan(t, baseline.Detector{AllPaths: true}, "dask/distributed", "test/x.py", "# retry\nmax_retries = 3\n"); len(got) != 1 {
		t.Errorf("without the path filter: %d findings, want 1", len(got))
	}
}

func TestFieldsAreKeywordsNearby(t *testing.T) {
	var d baseline.Detector
	for text, want := range map[string]string{
		"# retry\nmax_retries = 3\n":                                       finding.BackoffNone,
		"# retry\nmax_retries = 3\ntime.sleep(delay)\n":                    finding.BackoffLinear,
		"# retry\nmax_retries = 3\nwait = wait_exponential()\n":            finding.BackoffExponential,
		"# retry\nmax_retries = 3\n" + string(make([]byte, 300)) + "delay": finding.BackoffNone,
	} {
		got := scan(t, d, "a/b", "x.py", text)
		if len(got) != 1 || got[0].Backoff != want || got[0].TotalAttempts != 3 {
			t.Errorf("%.40q: %+v, want backoff %s", text, got, want)
		}
	}
}
