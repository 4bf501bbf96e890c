package tree

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// gitCommand prepares a git command that reads a foreign repository safely: no
// hooks, no pagers, no configuration but the repository's own, and no network
// even for a clone that lacks objects (a partial clone would fetch them by
// commands its configuration names).
func gitCommand(ctx context.Context, gitDir string, args ...string) *exec.Cmd {
	safe := []string{
		"--git-dir=" + gitDir, "-c", "safe.directory=*", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false",
		"-c", "protocol.allow=never", "--no-pager", "--no-replace-objects", "--literal-pathspecs",
	}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Env = append(cleanEnv(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C")
	return cmd
}

// cleanEnv is the environment without variables that redirect git.
func cleanEnv() []string {
	var keep []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			keep = append(keep, v)
		}
	}
	return keep
}

func headOf(ctx context.Context, gitDir string) (string, error) {
	return runGit(ctx, gitDir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
}

func runGit(ctx context.Context, gitDir string, args ...string) (string, error) {
	cmd := gitCommand(ctx, gitDir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

func (r *Repository) openGit(ctx context.Context, gitDir, commit string) error {
	gitDir, err := filepath.Abs(gitDir)
	if err != nil {
		return err
	}
	rev := "HEAD"
	if commit != "" {
		rev = commit
	}
	if r.Commit, err = runGit(ctx, gitDir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		return fmt.Errorf("%s: no commit %s: %w", gitDir, rev, err)
	}
	_, serr := os.Stat(filepath.Join(gitDir, "shallow"))
	r.Shallow = serr == nil
	out, err := gitCommand(ctx, gitDir, "ls-tree", "-r", "-l", "-z", "--full-tree", r.Commit).Output()
	if err != nil {
		return fmt.Errorf("%s: cannot list the files: %w", gitDir, err)
	}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		if len(line) > 0 {
			r.listed(string(line))
		}
	}
	r.src = &objects{ctx: ctx, dir: gitDir}
	return nil
}

// listed reads one line of ls-tree: "mode type id size<tab>path".
func (r *Repository) listed(line string) {
	head, p, hasTab := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if !hasTab || len(f) != 4 {
		r.Failed = append(r.Failed, "unreadable entry of the tree")
		return
	}
	switch {
	case f[1] == "commit":
		r.Skipped[SkipSubmodule]++
	case f[0] == "120000":
		r.Skipped[SkipSymlink]++
	case f[1] != "blob":
		r.Skipped[SkipSpecial]++
	default:
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil { // the object is missing: a partial or damaged clone
			r.Failed = append(r.Failed, p+": object not in this clone")
			return
		}
		r.keep(Entry{Path: p, Size: size, id: f[2]})
	}
}

// objects reads blobs through one git cat-file --batch process, started at the
// first read and again should it die on a damaged object.
type objects struct {
	ctx context.Context
	dir string
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (o *objects) start() error {
	cmd := gitCommand(o.ctx, o.dir, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	o.cmd, o.in, o.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	return nil
}

func (o *objects) read(e Entry) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cmd == nil {
		if err := o.start(); err != nil {
			return nil, err
		}
	}
	text, err := o.ask(e)
	if err != nil && !errors.Is(err, errMissing) {
		// After half an answer the stream is of no use: begin anew next time.
		o.stop()
	}
	return text, err
}

var errMissing = errors.New("object missing or damaged")

func (o *objects) ask(e Entry) ([]byte, error) {
	if _, err := io.WriteString(o.in, e.id+"\n"); err != nil {
		return nil, errors.Join(errors.New("git ended"), err)
	}
	head, err := o.out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(errors.New("object missing or damaged: git ended"), err)
	}
	f := strings.Fields(head)
	if len(f) == 2 {
		return nil, errMissing
	}
	if len(f) != 3 {
		return nil, fmt.Errorf("unexpected answer of git cat-file")
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 || size > MaxFileBytes {
		return nil, fmt.Errorf("unexpected size %q", f[2])
	}
	text := make([]byte, size+1) // and the newline after it
	if _, err := io.ReadFull(o.out, text); err != nil {
		return nil, err
	}
	return text[:size], nil
}

func (o *objects) stop() {
	if o.cmd == nil {
		return
	}
	o.in.Close()
	o.cmd.Process.Kill() // it may have ended already
	o.cmd.Wait()         // its exit code tells nothing we need
	o.cmd = nil
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop()
	return nil
}
