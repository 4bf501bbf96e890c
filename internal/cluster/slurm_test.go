//go:build cluster

package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"
)

// slurm is a controller, one node and their munge, all on loopback and below one folder.
type slurm struct {
	t    *testing.T
	root string
	host string
	env  []string
	pids []string // files that hold the daemons' process ids, in order of starting
}

const config = `ClusterName=loop
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={{.Root}}/munge.sock
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
SlurmctldPidFile={{.Root}}/slurmctld.pid
SlurmdPidFile={{.Root}}/slurmd.pid
StateSaveLocation={{.Root}}/state
SlurmdSpoolDir={{.Root}}/spool
SlurmctldLogFile={{.Root}}/slurmctld.log
SlurmdLogFile={{.Root}}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={{.Root}}/jobcomp.txt
ReturnToService=2
MinJobAge=3600
KillWait=30
NodeName={{.Host}} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={{.Host}} Default=YES MaxTime=INFINITE State=UP
`

// start starts the daemons and stops them when the test ends.
func start(t *testing.T) *slurm {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	// Not t.TempDir: munge wants a socket's path to be short.
	root, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	s := &slurm{t: t, root: root, host: host, env: append(os.Environ(), "SLURM_CONF="+filepath.Join(root, "slurm.conf"))}
	t.Cleanup(s.stop)
	for _, dir := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 128)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	s.write("munge.key", string(key), 0o400)
	var text bytes.Buffer
	if err := template.Must(template.New("conf").Parse(config)).Execute(&text, map[string]string{"Host": host, "Root": root}); err != nil {
		t.Fatal(err)
	}
	s.write("slurm.conf", text.String(), 0o644)
	s.daemon("munged.pid", "munged", "--force", "--socket="+s.path("munge.sock"), "--key-file="+s.path("munge.key"),
		"--pid-file="+s.path("munged.pid"), "--log-file="+s.path("munged.log"), "--seed-file="+s.path("munged.seed"))
	s.daemon("slurmctld.pid", "slurmctld", "-f", s.path("slurm.conf"))
	s.daemon("slurmd.pid", "slurmd", "-f", s.path("slurm.conf"))
	s.until("the node is idle", func() bool { return strings.Contains(s.try("sinfo", "-h", "-o", "%T"), "idle") })
	return s
}

func (s *slurm) path(name string) string { return filepath.Join(s.root, name) }

func (s *slurm) write(name, text string, mode fs.FileMode) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}

func (s *slurm) daemon(pid string, command ...string) {
	s.t.Helper()
	s.pids = append(s.pids, s.path(pid))
	s.run(command...)
}

// stop ends the daemons, last started first, by their own process ids, and waits for them to go.
func (s *slurm) stop() {
	if s.t.Failed() {
		for _, name := range []string{"slurmctld.log", "slurmd.log"} {
			text, _ := os.ReadFile(s.path(name)) // it is only shown
			s.t.Logf("%s:\n%s", name, text[max(len(text)-3000, 0):])
		}
	}
	for i := len(s.pids) - 1; i >= 0; i-- {
		var pid int
		text, err := os.ReadFile(s.pids[i])
		if err != nil {
			continue // it did not start
		}
		if _, err := fmt.Sscan(string(text), &pid); err != nil {
			s.t.Errorf("%s: %v", s.pids[i], err)
			continue
		}
		_ = syscall.Kill(pid, syscall.SIGTERM) // it may have gone by itself
		for deadline := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				s.t.Errorf("%s: process %d does not end; killing it", filepath.Base(s.pids[i]), pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
	if err := os.RemoveAll(s.root); err != nil {
		s.t.Error(err)
	}
}

// run runs a command in the cluster's environment and gives its output.
func (s *slurm) run(command ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = s.env
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// try is run for commands that may fail for a while.
func (s *slurm) try(command ...string) string {
	c := exec.Command(command[0], command[1:]...)
	c.Env = s.env
	out, _ := c.CombinedOutput() // the caller asks again
	return string(out)
}

// until waits for something to become true.
func (s *slurm) until(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(wait); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("waited in vain until %s\n%s", what, s.try("squeue", "-a", "-t", "all"))
		}
	}
}

// A sweep that ran as an array of four parts, one of which was requeued in the middle, and was merged by the job that
// waited for them, has the same files as one local run.
func TestSlurmArrayGivesTheSameBytes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("needs root, to start the daemons")
	}
	s := start(t)
	program := s.path("retrylab")
	s.run("go", "build", "-o", program, "retrylab/cmd/retrylab")
	sweep, err := filepath.Abs("testdata/sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := s.path("out")
	submitted := s.run(program, "submit", sweep, "--shards", "4", "--slurm", "--run", "--checkpoint", "200ms", "--out", out)
	last := submitted[strings.LastIndex(submitted, "\n")+1:]
	var array, merge int
	if _, err := fmt.Sscanf(last, "array %d, merge %d", &array, &merge); err != nil {
		t.Fatalf("%q: %v", submitted, err)
	}
	part := fmt.Sprintf("%d_2", array)
	segments := func() int {
		found, err := filepath.Glob(filepath.Join(out, "part-2", ".checkpoint", "segment-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	s.until("part 2 has finished some trials", func() bool { return segments() > 0 })
	s.run("scontrol", "requeue", part)
	s.until("part 2 waits again", func() bool { return strings.Contains(s.try("squeue", "-h", "-j", part, "-o", "%T"), "PENDING") })
	if _, err := os.Stat(filepath.Join(out, "part-2", "manifest.json")); err == nil || segments() == 0 {
		t.Errorf("the part was not stopped in the middle: %d segments, manifest: %v", segments(), err)
	}
	s.run("scontrol", "update", "jobid="+part, "StartTime=now")
	s.until("the merge is done", func() bool {
		_, err := os.Stat(filepath.Join(out, "merged", "manifest.json"))
		return err == nil || strings.Contains(s.try("squeue", "-a", "-h", "-t", "all", "-j", fmt.Sprint(merge), "-o", "%T"), "FAILED")
	})
	s.run(program, "verify", filepath.Join(out, "merged"))
	local := s.path("local")
	s.run(program, "sweep", sweep, "--out", local, "--quiet")
	compare(t, local, filepath.Join(out, "merged"))
}
