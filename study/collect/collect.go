// Package collect finds repositories for the study through GitHub's search and
// makes shallow clones of them. It respects the service's rate limits, keeps its
// state in a file so that an interrupted collection goes on where it stopped,
// and records every repository that could not be had, with the reason.
package collect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"

	"github.com/google/go-github/v84/github"
)

// Query says which repositories are candidates. The defaults of the command are
// the paper's: more than 50 stars, four languages, microservices or
// distributed systems as topics.
type Query struct {
	// Languages are searched one after the other, in this order.
	Languages []string
	// MinStars is the least number of stars.
	MinStars int
	// Topics are searched one after the other for each language; none = no
	// condition on topics.
	Topics []string
	// PushedAfter, when set, leaves out repositories without a push since.
	PushedAfter time.Time
	// PerSearch limits the results taken of one search; 0 = all that the
	// service gives (it gives no more than 1,000).
	PerSearch int
}

// Candidate is one repository found by a search.
type Candidate struct {
	Repo     string `json:"repo"` // owner/name
	CloneURL string `json:"clone_url"`
	Language string `json:"language"` // primary language as the service says
	Stars    int    `json:"stars"`
	Pushed   string `json:"pushed,omitempty"` // date of the last push
}

// Searcher runs the queries against the service.
type Searcher struct {
	client *github.Client
	// Sleep waits out a rate limit; tests replace it. It returns early with
	// the context's error.
	Sleep func(ctx context.Context, d time.Duration) error
	// Log, when set, is told about waits.
	Log func(format string, args ...any)
}

// NewSearcher makes a searcher. base is the address of the service's API, "" for
// the public one; token may be empty (then the limits are tight).
func NewSearcher(base, token string) (*Searcher, error) {
	client := github.NewClient(&http.Client{Timeout: time.Minute})
	if token != "" {
		client = client.WithAuthToken(token)
	}
	if base != "" {
		u, err := url.Parse(strings.TrimSuffix(base, "/") + "/")
		if err != nil {
			return nil, fmt.Errorf("api address %q: %w", base, err)
		}
		client.BaseURL = u
	}
	return &Searcher{client: client, Sleep: sleep, Log: func(string, ...any) {}}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Search runs all searches of a query in the paper's order: languages in
// sequence, by stars within each search, every repository once. done holds the
// searches finished before (by name); each new one is handed to save as soon as
// it is complete, so that a collection can be resumed.
func (s *Searcher) Search(ctx context.Context, q Query, done map[string][]Candidate, save func(name string, found []Candidate) error) ([]Candidate, error) {
	var all []Candidate
	seen := map[string]bool{}
	topics := q.Topics
	if len(topics) == 0 {
		topics = []string{""}
	}
	for _, lang := range q.Languages {
		for _, topic := range topics {
			name := q.text(lang, topic)
			found, known := done[name]
			if !known {
				var err error
				if found, err = s.one(ctx, name, q.PerSearch); err != nil {
					return all, fmt.Errorf("search %q: %w", name, err)
				}
				if err := save(name, found); err != nil {
					return all, err
				}
			}
			for _, c := range found {
				if !seen[strings.ToLower(c.Repo)] {
					seen[strings.ToLower(c.Repo)] = true
					all = append(all, c)
				}
			}
		}
	}
	return all, nil
}

// text writes a search in the service's query language.
func (q Query) text(lang, topic string) string {
	parts := []string{"language:" + lang, fmt.Sprintf("stars:>%d", q.MinStars), "fork:false", "archived:false"}
	if topic != "" {
		parts = append([]string{topic + " in:description,topics"}, parts...)
	}
	if !q.PushedAfter.IsZero() {
		parts = append(parts, "pushed:>"+q.PushedAfter.Format(time.DateOnly))
	}
	return strings.Join(parts, " ")
}

func (s *Searcher) one(ctx context.Context, query string, limit int) ([]Candidate, error) {
	opt := &github.SearchOptions{Sort: "stars", Order: "desc", ListOptions: github.ListOptions{PerPage: 100}}
	if limit > 0 && limit < 100 {
		opt.PerPage = limit
	}
	var out []Candidate
	for {
		res, resp, err := s.client.Search.Repositories(ctx, query, opt)
		if err != nil {
			if werr := s.waitOut(ctx, err); werr != nil {
				return nil, werr
			}
			continue
		}
		for _, r := range res.Repositories {
			out = append(out, Candidate{Repo: r.GetFullName(), CloneURL: r.GetCloneURL(), Language: r.GetLanguage(),
				Stars: r.GetStargazersCount(), Pushed: r.GetPushedAt().Format(time.DateOnly)})
		}
		if limit > 0 && len(out) >= limit {
			return out[:limit], nil
		}
		if resp.NextPage == 0 {
			return out, nil
		}
		opt.Page = resp.NextPage
	}
}

// maxWait limits how long one rate limit is waited out.
const maxWait = 65 * time.Minute

// waitOut waits until a rate limit ends; any other error is returned.
func (s *Searcher) waitOut(ctx context.Context, err error) error {
	var limit *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	var d time.Duration
	switch {
	case errors.As(err, &limit):
		d = time.Until(limit.Rate.Reset.Time) + time.Second
	case errors.As(err, &abuse):
		d = time.Minute
		if abuse.RetryAfter != nil {
			d = *abuse.RetryAfter
		}
	default:
		return err
	}
	d = max(d, time.Second)
	if d > maxWait {
		return fmt.Errorf("rate limit lasts %v: %w", d.Round(time.Second), err)
	}
	s.Log("rate limit: waiting %v", d.Round(time.Second))
	return s.Sleep(ctx, d)
}

// Draw takes n candidates: the first n in the given order, or with random a
// sample without replacement, the same for the same candidates and seed
// whatever their order.
func Draw(list []Candidate, n int, random bool, key func(repo string) string) []Candidate {
	list = append([]Candidate(nil), list...)
	if random {
		sort.SliceStable(list, func(i, j int) bool { return key(list[i].Repo) < key(list[j].Repo) })
	}
	if n > 0 && n < len(list) {
		list = list[:n]
	}
	return list
}
