package experiments

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"retrylab/internal/atomicfile"
	"retrylab/results"
)

// checkpoint keeps the rows of finished trials in the folder checkpoint of a sweep's results until the whole
// sweep is done. A segment is a folder of tables that holds the trials at positions first..end-1 of a round; it
// is written under another name and renamed when its files are on the disk, so a segment is whole or not there.
type checkpoint struct {
	dir      string
	segments [][]segment // of each round, in order and without holes
	release  func()      // gives the folder's lock up
	interval time.Duration
	flushed  time.Time
	round    int
	first    int64 // position of the first trial in the buffers
	buffered int64
	trials   []results.Trial
	services []results.Service
	edges    []results.Edge
	windows  []results.Window
}

type segment struct {
	round      int
	first, end int64
	dir        string
}

const (
	checkpointName  = ".checkpoint" // hidden: what is in it is not published
	checkpointFile  = "sweep.json"
	temporarySuffix = ".part"
	segmentPrefix   = "segment-"
	// segmentRows bounds the rows that are held in memory.
	segmentRows = 8192
)

// ErrOtherSweep marks a folder that holds the results of something else, which stay as they are.
var ErrOtherSweep = errors.New("the folder holds other results")

// identity is what a checkpoint belongs to.
type identity struct {
	Fingerprint string `json:"fingerprint"`
	Shard       string `json:"shard"`
	Seed        uint64 `json:"seed,string"`
	Program     string `json:"program"`
}

// program names the running program by its bytes: after a change of it, under one version, the trials of both would mix.
var program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// openCheckpoint makes the folder, or finds what an interrupted run of the same sweep left.
// With replace, what belongs to something else is removed; without, it is an error.
func openCheckpoint(dir string, id identity, interval time.Duration, replace bool) (*checkpoint, error) {
	c, err := lockCheckpoint(dir, interval)
	if err != nil {
		return nil, err
	}
	err = c.open(id)
	if replace && errors.Is(err, ErrOtherSweep) {
		if err = c.empty(); err == nil {
			err = c.open(id)
		}
	}
	if err != nil {
		c.release()
		return nil, err
	}
	return c, nil
}

// lockCheckpoint makes the folder and keeps others out of it.
func lockCheckpoint(dir string, interval time.Duration) (*checkpoint, error) {
	c := &checkpoint{dir: filepath.Join(dir, checkpointName), interval: interval, flushed: time.Now()}
	for {
		if err := os.MkdirAll(c.dir, 0o777); err != nil {
			return nil, err
		}
		var err error
		if c.release, err = lock(filepath.Join(c.dir, "lock"), lockWait); err == nil {
			return c, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// remove takes the checkpoint away, at once for everybody who comes after.
func (c *checkpoint) remove() error { return removeAtOnce(c.dir) }

// removeAtOnce removes a folder by another name, so that nobody sees half of it.
func removeAtOnce(dir string) error {
	going := dir + temporarySuffix
	err := os.Rename(dir, going)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(going))
}

// empty removes everything but the lock, first of all the name of what it belongs to.
func (c *checkpoint) empty() error {
	err := os.Remove(filepath.Join(c.dir, checkpointFile))
	segments, _ := filepath.Glob(filepath.Join(c.dir, segmentPrefix+"*"))
	for _, s := range segments {
		err = errors.Join(err, os.RemoveAll(s))
	}
	return err
}

// open names what the checkpoint belongs to, or checks it, and finds the segments.
func (c *checkpoint) open(id identity) error {
	path := filepath.Join(c.dir, checkpointFile)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, err := json.MarshalIndent(id, "", "  ")
		if err == nil {
			err = atomicfile.WriteBytes(path, append(text, '\n'))
		}
		if err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		var found identity
		if err := json.Unmarshal(data, &found); err != nil {
			return fmt.Errorf("cannot read %s: %w", path, err)
		}
		if found != id {
			return fmt.Errorf("%w: %s is of %s; give another folder, or remove that one", ErrOtherSweep, c.dir, found.difference(id))
		}
	}
	return c.find()
}

// difference says in what an identity differs from the wanted one.
func (i identity) difference(want identity) string {
	switch {
	case i.Shard != want.Shard:
		return fmt.Sprintf("shard %q and not %q", i.Shard, want.Shard)
	case i.Seed != want.Seed:
		return fmt.Sprintf("seed %d and not %d", i.Seed, want.Seed)
	case i.Fingerprint == want.Fingerprint:
		return "another build of the program"
	}
	return "other cells, trials or another version"
}

// find lists the whole segments and removes what a kill left half written.
func (c *checkpoint) find() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var all []segment
	for _, e := range entries {
		s := segment{dir: filepath.Join(c.dir, e.Name())}
		if strings.HasSuffix(e.Name(), temporarySuffix) {
			if err := os.RemoveAll(s.dir); err != nil {
				return err
			}
			continue
		}
		if n, err := fmt.Sscanf(e.Name(), segmentPrefix+"%d-%d-%d", &s.round, &s.first, &s.end); err == nil && n == 3 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b segment) int { return cmp.Or(a.round-b.round, cmp.Compare(a.first, b.first)) })
	for _, s := range all {
		if s.round == len(c.segments) {
			c.segments = append(c.segments, nil)
		}
		if s.round != len(c.segments)-1 || s.first != c.end(s.round) || s.end <= s.first {
			return fmt.Errorf("%s does not follow the segments before it; remove %s to start over", s.dir, c.dir)
		}
		c.segments[s.round] = append(c.segments[s.round], s)
	}
	return nil
}

// end is the position up to which a round is on the disk.
func (c *checkpoint) end(round int) int64 {
	if round >= len(c.segments) || len(c.segments[round]) == 0 {
		return 0
	}
	last := c.segments[round]
	return last[len(last)-1].end
}

// start begins, or goes on with, a round.
func (c *checkpoint) start(round int) {
	for len(c.segments) <= round {
		c.segments = append(c.segments, nil)
	}
	c.round, c.first = round, c.end(round)
}

// add takes the rows of a block and writes a segment when it is time.
func (c *checkpoint) add(b *block) error {
	for i := range b.rows {
		r := &b.rows[i]
		c.trials = append(c.trials, r.Trial)
		c.services = append(c.services, r.Services...)
		c.edges = append(c.edges, r.Edges...)
		c.windows = append(c.windows, r.Windows...)
	}
	c.buffered += int64(b.len())
	rows := len(c.trials) + len(c.services) + len(c.edges) + len(c.windows)
	if rows < segmentRows && time.Since(c.flushed) < c.interval {
		return nil
	}
	return c.flush()
}

// flush writes what is buffered as a segment.
func (c *checkpoint) flush() error {
	c.flushed = time.Now()
	if c.buffered == 0 {
		return nil
	}
	s := segment{round: c.round, first: c.first, end: c.first + c.buffered}
	s.dir = filepath.Join(c.dir, fmt.Sprintf(segmentPrefix+"%03d-%012d-%012d", s.round, s.first, s.end))
	part := s.dir + temporarySuffix
	if err := os.Mkdir(part, 0o777); err != nil {
		return err
	}
	err := errors.Join(writeSegment(part, c.trials), writeSegment(part, c.services), writeSegment(part, c.edges), writeSegment(part, c.windows))
	if err == nil {
		err = renameDurably(part, s.dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	c.segments[c.round] = append(c.segments[c.round], s)
	c.first, c.buffered = s.end, 0
	c.trials, c.services, c.edges, c.windows = c.trials[:0], c.services[:0], c.edges[:0], c.windows[:0]
	return nil
}

func writeSegment[T results.Row](dir string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := results.WriteTable(segmentPath[T](dir), rows)
	return err
}

func segmentPath[T results.Row](dir string) string {
	var row T
	return filepath.Join(dir, row.TableName()+".parquet")
}

// renameDurably renames a folder whose files are on the disk, and flushes the folder that it is in.
func renameDurably(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	parent, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(parent.Sync(), parent.Close())
}

// segmentRowsOf streams the rows of a round's segments.
func segmentRowsOf[T results.Row](segments []segment) iter.Seq2[results.Batch[T], error] {
	return func(yield func(results.Batch[T], error) bool) {
		for _, s := range segments {
			path := segmentPath[T](s.dir)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				if _, err := os.Stat(s.dir); err != nil {
					yield(results.Batch[T]{}, err)
					return
				}
				continue // the table had no rows in it
			}
			for b, err := range results.Batches[T](path) {
				if !yield(b, err) || err != nil {
					return
				}
			}
		}
	}
}
