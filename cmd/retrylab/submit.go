package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

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
	Last    int // index of the last part, counted from 0
	Command string
	Out     string
	Image   string
	Cores   int
	Array   string // of Slurm: 1-N, or fewer at once as 1-N%M
	Merge   string // file of the merging job
}

type submitting struct {
	sweeping
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
With --run the Slurm jobs are submitted too. A part that failed is run again by submitting its index alone, e.g. sbatch --array=7:
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
	flags.StringArrayVar(&f.set, "set", nil, "as in sweep")
	flags.StringArrayVar(&f.sweep, "sweep", nil, "as in sweep")
	flags.IntVar(&f.trials, "trials", 0, "as in sweep")
	flags.BoolVar(&f.quick, "quick", false, "as in sweep")
	flags.DurationVar(&f.checkpoint, "checkpoint", 0, "as in sweep")
	for _, name := range []string{"shards", "out"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // only a misspelt name can cause it
		}
	}
	c.RunE = func(_ *cobra.Command, args []string) error { return a.submit(args[0], &f) }
	return c
}

func (a *app) submit(name string, f *submitting) error {
	if f.slurm == f.kubernetes {
		return usageError{fmt.Errorf("give one of --slurm and --kubernetes")}
	}
	if f.shards < 1 || f.shards > 100_000 || f.cores < 1 || f.atOnce < 0 {
		return usageError{fmt.Errorf("shards must be between 1 and 100000, cores at least 1, at-once at least 0; got %d, %d, %d", f.shards, f.cores, f.atOnce)}
	}
	if f.run && f.kubernetes {
		return usageError{fmt.Errorf("--run submits Slurm jobs only; apply the Kubernetes file with kubectl")}
	}
	// The file is checked here, once, so that no part finds a mistake first.
	check := f.sweeping
	check.shards = 0
	s, _, err := check.load(name)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(f.out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if experimentsFile(name) {
		if name, err = keepFile(s, name, out); err != nil {
			return err
		}
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

// keepFile copies the sweep file beside the results, so that what is edited after submitting does not leak in. A file
// that names others stays where it is, as they do.
func keepFile(s *experiments.Sweep, name, out string) (string, error) {
	for _, other := range s.Sources[1:] {
		if strings.Contains(other.File, "/") {
			return filepath.Abs(name)
		}
	}
	copied := filepath.Join(out, filepath.Base(name))
	return copied, atomicfile.WriteBytes(copied, s.Sources[0].Bytes)
}

// experimentsFile tells whether a sweep is named by its file.
func experimentsFile(name string) bool {
	return strings.Contains(name, "/") || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// fill says what stands in the job files.
func (f *submitting) fill(s *experiments.Sweep, name, out string) submission {
	program, err := os.Executable()
	if err != nil || f.kubernetes {
		program = "retrylab"
	}
	args := []string{program, "sweep", name, "--shards", strconv.Itoa(f.shards), "--workers", strconv.Itoa(f.cores), "--quiet"}
	for _, v := range f.set {
		args = append(args, "--set", v)
	}
	for _, v := range f.sweep {
		args = append(args, "--sweep", v)
	}
	if f.trials > 0 {
		args = append(args, "--trials", strconv.Itoa(f.trials))
	}
	if f.quick {
		args = append(args, "--quick")
	}
	if f.checkpoint > 0 {
		args = append(args, "--checkpoint", f.checkpoint.String())
	}
	for i := range args {
		args[i] = quote(args[i])
	}
	array := fmt.Sprintf("1-%d", f.shards)
	if f.atOnce > 0 {
		array += "%" + strconv.Itoa(f.atOnce)
	}
	return submission{Name: s.Name, Job: "retrylab-" + strings.ReplaceAll(s.Name, "_", "-"), Shards: f.shards, Last: f.shards - 1, Cores: f.cores,
		Command: strings.Join(args, " "), Out: quote(out), Image: f.image, Array: array, Merge: quote(program)}
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
