package collect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab/study/collect"
)

// fake is a small stand-in for the service's search: pages of two, and a rate
// limit on the second request.
type fake struct {
	requests []string
	limited  bool
	base     string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f.requests = append(f.requests, q.Get("q")+" page="+q.Get("page"))
	if len(f.requests) == 2 && !f.limited {
		f.limited = true
		w.Header().Set("X-RateLimit-Limit", "10")
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(3*time.Second).Unix(), 10))
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"message": "API rate limit exceeded"}`)
		return
	}
	page, _ := strconv.Atoi(q.Get("page"))
	page = max(page, 1)
	lang := "go"
	if strings.Contains(q.Get("q"), "language:python") {
		lang = "python"
	}
	type item struct {
		FullName string `json:"full_name"`
		CloneURL string `json:"clone_url"`
		Language string `json:"language"`
		Stars    int    `json:"stargazers_count"`
	}
	var items []item
	for i := range 2 {
		n := 2*(page-1) + i
		items = append(items, item{fmt.Sprintf("%s-owner/r%d", lang, n), "file:///nowhere", lang, 100 - n})
	}
	if page < 2 {
		w.Header().Set("Link", fmt.Sprintf(`<%s/search/repositories?q=x&page=%d>; rel="next"`, f.base, page+1))
	}
	json.NewEncoder(w).Encode(map[string]any{"total_count": 4, "items": items})
}

func search(t *testing.T, f *fake, done map[string][]collect.Candidate) (list []collect.Candidate, saved map[string][]collect.Candidate, waits []time.Duration) {
	t.Helper()
	srv := httptest.NewServer(f)
	defer srv.Close()
	f.base = srv.URL
	s, err := collect.NewSearcher(srv.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	s.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		time.Sleep(time.Until(time.Now().Add(d)))
		return nil
	}
	saved = map[string][]collect.Candidate{}
	list, err = s.Search(t.Context(), collect.Query{Languages: []string{"python", "go"}, MinStars: 50, Topics: []string{"microservices"}}, done,
		func(name string, found []collect.Candidate) error { saved[name] = found; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return list, saved, waits
}

func TestSearchPagesWaitsOutLimitsAndResumes(t *testing.T) {
	f := &fake{}
	list, saved, waits := search(t, f, nil)
	if len(list) != 8 || list[0].Repo != "python-owner/r0" || list[7].Repo != "go-owner/r3" {
		t.Fatalf("got %v", list)
	}
	if len(waits) != 1 {
		t.Errorf("waited %v, want once for the rate limit", waits)
	}
	if !strings.Contains(f.requests[0], "stars:>50") || !strings.Contains(f.requests[0], "microservices in:description,topics") {
		t.Errorf("query %q", f.requests[0])
	}
	// What is done is not asked again.
	g := &fake{limited: true}
	again, _, _ := search(t, g, saved)
	if len(again) != 8 || len(g.requests) != 0 {
		t.Errorf("resumed with %d results and %d requests, want 8 and 0", len(again), len(g.requests))
	}
}

func TestDrawIsASeededSampleWhateverTheOrder(t *testing.T) {
	var list []collect.Candidate
	for i := range 20 {
		list = append(list, collect.Candidate{Repo: fmt.Sprintf("o/r%02d", i)})
	}
	key := func(repo string) string { return fmt.Sprint(strings.Count(repo, "1"), repo[4:], repo) }
	a := collect.Draw(list, 5, true, key)
	list[0], list[19] = list[19], list[0]
	b := collect.Draw(list, 5, true, key)
	if fmt.Sprint(a) != fmt.Sprint(b) || len(a) != 5 {
		t.Errorf("%v and %v differ", a, b)
	}
	if first := collect.Draw(list, 2, false, key); first[0].Repo != "o/r19" {
		t.Errorf("without random the given order holds, got %v", first)
	}
}

func TestCloneRecordsEveryOutcomeAndResumes(t *testing.T) {
	src := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main", src}, {"-C", src, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	root := t.TempDir()
	state, err := collect.LoadState(filepath.Join(root, "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	list := []collect.Candidate{
		{Repo: "a/good", CloneURL: "file://" + src},
		{Repo: "a/missing", CloneURL: "file://" + src + "/nowhere"},
		{Repo: "../escape", CloneURL: "file://" + src},
	}
	silent := func(string, ...any) {}
	if err := collect.CloneAll(t.Context(), list, root, state, false, silent); err != nil {
		t.Fatal(err)
	}
	if c := state.Clones["a/good"]; c.Error != "" || len(c.Commit) != 40 {
		t.Errorf("good clone: %+v", c)
	}
	for _, bad := range []string{"a/missing", "../escape"} {
		if state.Clones[bad].Error == "" {
			t.Errorf("%s: no error recorded", bad)
		}
	}
	back, err := collect.LoadState(filepath.Join(root, "state.json"))
	if err != nil || len(back.Clones) != 3 {
		t.Fatalf("state after: %v, %v", back, err)
	}
	// A second run touches nothing: the source may be gone.
	if err := os.RemoveAll(src); err != nil {
		t.Fatal(err)
	}
	if err := collect.CloneAll(t.Context(), list, root, back, false, silent); err != nil || back.Clones["a/good"].Error != "" {
		t.Errorf("second run: %v, %+v", err, back.Clones["a/good"])
	}
}
