package studycmd

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"retrylab/study"
	"retrylab/study/collect"
)

// collectFlags are the flags of study collect.
type collectFlags struct {
	common
	query       collect.Query
	pushedAfter string
	out, api    string
	n           int
	random      bool
	again       bool
	searchOnly  bool
}

func collectCommand() *cobra.Command {
	var f collectFlags
	c := &cobra.Command{
		Use: "collect", Short: "Find repositories and clone them", Args: cobra.NoArgs,
		Long: `Search GitHub and make shallow bare clones, one folder each, ready for
scan --repos. The token is read from the environment variable GITHUB_TOKEN.
Interrupt and run again at will: finished searches and clones are kept in
collect.json. The defaults are the paper's criteria and its order; --random
takes a seeded sample of all candidates instead.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(c)
	f.addSeed(c)
	c.Flags().StringSliceVar(&f.query.Languages, "language", []string{"python", "go", "java", "javascript", "typescript"}, "languages, searched in this order")
	c.Flags().StringSliceVar(&f.query.Topics, "topic", []string{"microservices", "distributed-systems"}, "topics, one search each")
	c.Flags().IntVar(&f.query.MinStars, "min-stars", 50, "more stars than this")
	c.Flags().StringVar(&f.pushedAfter, "pushed-after", "", "only repositories with a push after this date (YYYY-MM-DD)")
	c.Flags().IntVar(&f.query.PerSearch, "per-search", 0, "take at most this many of each search; 0 = all")
	c.Flags().IntVar(&f.n, "n", 200, "repositories to clone")
	c.Flags().BoolVar(&f.random, "random", false, "a seeded random sample instead of the first in order")
	c.Flags().BoolVar(&f.again, "again", false, "try failed clones again")
	c.Flags().BoolVar(&f.searchOnly, "search-only", false, "list the candidates, clone nothing")
	c.Flags().StringVar(&f.out, "out", "clones", "folder for the clones")
	c.Flags().StringVar(&f.api, "api", "", "address of another service's API")
	return c
}

func (f *collectFlags) run(cmd *cobra.Command) error {
	if f.pushedAfter != "" {
		t, err := time.Parse(time.DateOnly, f.pushedAfter)
		if err != nil {
			return usagef("--pushed-after: %w", err)
		}
		f.query.PushedAfter = t
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	state, err := collect.LoadState(filepath.Join(f.out, "collect.json"))
	if err != nil {
		return err
	}
	s, err := collect.NewSearcher(f.api, os.Getenv("GITHUB_TOKEN"))
	if err != nil {
		return UsageError{err}
	}
	log := func(format string, args ...any) {
		if !f.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
		}
	}
	s.Log = log
	all, err := s.Search(cmd.Context(), f.query, state.Searches, func(name string, found []collect.Candidate) error {
		state.Searches[name] = found
		log("%d of %s", len(found), name)
		return state.Save()
	})
	if err != nil {
		return err
	}
	chosen := collect.Draw(all, f.n, f.random, func(repo string) string { return study.OrderKey(f.seed, repo) })
	for _, c := range chosen {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), c.Repo); err != nil {
			return err
		}
	}
	if f.searchOnly {
		return nil
	}
	return collect.CloneAll(cmd.Context(), chosen, f.out, state, f.again, log)
}
