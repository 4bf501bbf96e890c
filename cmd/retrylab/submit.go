package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/internal/atomicfile"
)

//go:embed submit_slurm.sh.tmpl
var slurmText string

//go:embed submit_kubernetes.yaml.tmpl
var kubernetesText string

// submission is what the templates of jobs are filled with.
type submission struct {
	Name    string // of the sweep
	Job     string // the same as a name of a Kubernetes object
	Shards  int
	AtOnce  int // parts that run at once
	Command string
	Out     string // as a word of a shell
	Folder  string // the same, as text in quotes that YAML reads too
	Image   string // likewise
	Cores   int
	Array   string // of Slurm: 1-N, or fewer at once as 1-N%M
	Merge   string // program of the merging job; empty in the file of the parts
}

type submitting struct {
	designing
	out               string
	shards            int
	slurm, kubernetes bool
	run               bool
	atOnce, cores     int
	image             string
}

func (a *app) submitCommand() *cobra.Command {
	var f submitting
	c := &cobra.Command{
		Use:   "submit FILE --shards N (--slurm | --kubernetes)",
		Short: "Write the jobs that run a sweep on a cluster, and submit them",
		Long: `Write the job files that run a sweep in parts: for Slurm an array and a job that merges the parts after all have
ended, well or not; for Kubernetes an Indexed Job and a Job that merges. The folder of the results must be one that all nodes share.
With --run the Slurm jobs are submitted too; without it, the commands that do so are printed. A part that failed is run again by submitting its index alone, e.g. sbatch --array=7:
the number of parts stands in the command and does not change.`,
		Example: "  retrylab submit harm-map --shards 40 --slurm --out /shared/harm --run\n  retrylab submit my-sweep.yaml --shards 16 --kubernetes --image registry.example/retrylab:1 --out /data/my",
		Args:    cobra.ExactArgs(1),
	}
	flags := c.Flags()
	flags.BoolVar(&f.slurm, "slurm", false, "write a Slurm array and its merge")
	flags.BoolVar(&f.kubernetes, "kubernetes", false, "write a Kubernetes Indexed Job and its merge")
	flags.BoolVar(&f.run, "run", false, "submit the Slurm jobs")
	flags.IntVar(&f.shards, "shards", 0, "number of parts")
	flags.IntVar(&f.atOnce, "at-once", 0, "parts that run at once; default all")
	flags.IntVar(&f.cores, "cores", 1, "cores of each part")
	flags.StringVar(&f.image, "image", "retrylab:latest", "container image for Kubernetes")
	flags.StringVar(&f.out, "out", "", "folder of the results, shared by all nodes")
	f.add(flags)
	for _, name := range []string{"shards", "out"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // only a misspelt name can cause it
		}
	}
	c.RunE = func(_ *cobra.Command, args []string) error { return a.submit(args[0], &f) }
	return c
}

func (a *app) submit(name string, f *submitting) error {
	s, err := f.check(name)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(f.out)
	if err != nil {
		return err
	}
	keep, err := filesToKeep(s, name, f.kubernetes)
	if err != nil {
		return usageError{err}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if name, err = keepFiles(keep, name, out); err != nil {
		return err
	}
	job := f.fill(s, name, out)
	if f.slurm {
		return a.submitSlurm(job, f)
	}
	path := filepath.Join(out, "job.yaml")
	if err := writeTemplate(path, kubernetesText, job); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, path)
	return nil
}

// check looks at the flags and the file, once, so that no part finds a mistake first.
func (f *submitting) check(name string) (*experiments.Sweep, error) {
	var errs []error
	wrong := func(is bool, format string, args ...any) {
		if is {
			errs = append(errs, usageError{fmt.Errorf(format, args...)})
		}
	}
	wrong(name == "-", "expected a file or the name of a sweep: jobs have no standard input")
	wrong(f.slurm == f.kubernetes, "give one of --slurm and --kubernetes")
	wrong(f.run && f.kubernetes, "--run submits Slurm jobs only; apply the Kubernetes file with kubectl")
	wrong(f.shards < 1 || f.shards > 100_000, "shards: must be between 1 and 100000, got %d", f.shards)
	wrong(f.cores < 1 || f.cores > 4096, "cores: must be between 1 and 4096, got %d", f.cores)
	wrong(f.atOnce < 0, "at-once: must be at least 0 (all), got %d", f.atOnce)
	for _, text := range append([]string{name, f.out, f.image}, f.words()...) {
		wrong(strings.ContainsFunc(text, unicode.IsControl), "%q: expected no control characters: it becomes a line of a job file", text)
	}
	if len(errs) > 0 && name == "-" {
		return nil, errors.Join(errs...)
	}
	s, err := f.load(name)
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	if err := s.CheckShard(experiments.Shard{Index: 1, Count: f.shards}); err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// filesToKeep are the user's files that a sweep was made of, by their path from the sweep file, so that they can be put
// beside the results and what is edited after submitting does not leak in. Files that are elsewhere, which the sweep
// file says how to find from where it is, stay there with it: none are kept, and pods would not see them.
func filesToKeep(s *experiments.Sweep, name string, pods bool) (map[string][]byte, error) {
	keep := map[string][]byte{}
	for _, src := range s.Sources {
		if src.Embedded {
			continue
		}
		path, err := filepath.Rel(filepath.Dir(name), src.File)
		if err == nil && filepath.IsLocal(path) && (filepath.IsAbs(src.File) == filepath.IsAbs(name)) {
			keep[path] = src.Bytes
			continue
		}
		if pods {
			return nil, fmt.Errorf("%s names %s, which pods do not see: expected files in its own folder or below, named from there", name, src.File)
		}
		return nil, nil
	}
	return keep, nil
}

// keepFiles writes the files into the folder of the results and gives the name by which the jobs know the sweep.
func keepFiles(keep map[string][]byte, name, out string) (string, error) {
	if !experiments.NamesFile(name) {
		return name, nil
	}
	if len(keep) == 0 {
		return filepath.Abs(name)
	}
	for path, text := range keep {
		path = filepath.Join(out, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := atomicfile.WriteBytes(path, text); err != nil {
			return "", err
		}
	}
	return filepath.Join(out, filepath.Base(name)), nil
}

// fill says what stands in the job files.
func (f *submitting) fill(s *experiments.Sweep, name, out string) submission {
	program, err := os.Executable()
	if err != nil || f.kubernetes {
		program = "retrylab"
	}
	words := append([]string{program, "sweep", name, "--shards", strconv.Itoa(f.shards), "--workers", strconv.Itoa(f.cores), "--quiet"}, f.words()...)
	for i := range words {
		words[i] = quote(words[i])
	}
	job := submission{Name: s.Name, Job: objectName(s.Name), Shards: f.shards, AtOnce: f.shards, Cores: f.cores, Command: strings.Join(words, " "),
		Out: quote(out), Folder: strconv.Quote(out), Image: strconv.Quote(f.image), Array: fmt.Sprintf("1-%d", f.shards), Merge: quote(program)}
	if f.atOnce > 0 {
		job.AtOnce = min(f.atOnce, f.shards)
		job.Array += "%" + strconv.Itoa(f.atOnce)
	}
	return job
}

// objectName makes a name of a Kubernetes object, of which pods' names, at most 63 bytes, are made.
func objectName(sweep string) string {
	const most = 40
	name := strings.ReplaceAll(sweep, "_", "-")
	return "retrylab-" + strings.Trim(name[:min(len(name), most)], "-")
}

// quote makes a word of a shell.
func quote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func writeTemplate(path, text string, data any) error {
	var out bytes.Buffer
	if err := template.Must(template.New("job").Parse(text)).Execute(&out, data); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, out.Bytes())
}

// submitSlurm writes both jobs, and hands them to sbatch.
func (a *app) submitSlurm(job submission, f *submitting) error {
	out := f.out
	parts, merge := filepath.Join(out, "array.sbatch"), filepath.Join(out, "merge.sbatch")
	array := job
	array.Merge = ""
	if err := writeTemplate(parts, slurmText, array); err != nil {
		return err
	}
	if err := writeTemplate(merge, slurmText, job); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n", parts, merge)
	if !f.run {
		// A job file cannot name the job that it waits for, so the merge waits only if its submission says so.
		fmt.Fprintf(a.stderr, "submit them, the merge to run after all parts have ended, with\n  id=$(sbatch --parsable %s)\n  sbatch --dependency=afterany:\"${id%%%%;*}\" %s\n", quote(parts), quote(merge))
		return nil
	}
	id, err := sbatch("--parsable", parts)
	if err != nil {
		return err
	}
	id, _, _ = strings.Cut(id, ";") // the cluster's name follows
	// afterany: with afterok a failed part would leave the merge waiting for ever, and nobody told what is missing.
	merged, err := sbatch("--parsable", "--dependency=afterany:"+id, merge)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "array %s, merge %s\n", id, merged)
	return nil
}

func sbatch(args ...string) (string, error) {
	var stderr bytes.Buffer
	c := exec.Command("sbatch", args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("sbatch %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
