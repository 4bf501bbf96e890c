package collect

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// cloneTimeout limits one clone.
const cloneTimeout = 15 * time.Minute

var repoName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// CloneAll makes a shallow clone of every candidate below root that has none
// yet, one after the other, and saves the state after each. A repository that
// cannot be cloned is recorded and the next one is tried; a failed one is tried
// again only with again.
func CloneAll(ctx context.Context, list []Candidate, root string, state *State, again bool, log func(format string, args ...any)) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	for i, c := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if old, tried := state.Clones[c.Repo]; tried && (old.Error == "" || !again) {
			continue
		}
		out := cloneOne(ctx, c, root)
		if err := ctx.Err(); err != nil {
			return err // interrupted: not the repository's fault, try it again
		}
		state.Clones[c.Repo] = out
		if err := state.Save(); err != nil {
			return err
		}
		log("%d/%d %s %s", i+1, len(list), c.Repo, out.Error)
	}
	return nil
}

func cloneOne(ctx context.Context, c Candidate, root string) Clone {
	if !repoName.MatchString(c.Repo) {
		return Clone{Error: "unusable name"}
	}
	name := strings.Replace(c.Repo, "/", "+", 1)
	dir := filepath.Join(root, name)
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return Clone{Error: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, cloneTimeout)
	defer cancel()
	// A bare clone has no work tree: nothing of the repository is ever
	// checked out, so no filter or hook can run and no name can clash.
	err := git(ctx, "clone", "--bare", "--depth=1", "--single-branch", "--no-tags", "--quiet", "--", c.CloneURL, part)
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err == nil {
		err = os.Rename(part, dir)
	}
	if err != nil {
		os.RemoveAll(part) // best effort; the next try clears it too
		return Clone{Error: strings.Join(strings.Fields(err.Error()), " ")}
	}
	head, err := output(ctx, "--git-dir="+dir, "rev-parse", "HEAD")
	if err != nil {
		return Clone{Dir: name, Error: "empty repository"}
	}
	return Clone{Dir: name, Commit: strings.TrimSpace(head)}
}

func git(ctx context.Context, args ...string) error {
	_, err := output(ctx, args...)
	return err
}

// output runs git without the user's configuration and never asks for a password.
func output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.ext.allow=never", "-c", "safe.directory=*"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
