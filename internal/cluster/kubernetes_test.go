//go:build kubernetes

package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// kubernetes is an API server with its store and the controller of Jobs, all on loopback and below one folder. There is no kubelet:
// node runs the pods' containers as processes.
type kubernetes struct {
	t      *testing.T
	root   string
	assets string // folder of the programs; what is not there, as etcd may be, is looked for in PATH
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: loop, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
users: [{name: test, user: {token: %s}}]
contexts: [{name: loop, context: {cluster: loop, user: test}}]
current-context: loop
`

// startKubernetes starts the programs and stops them when the test ends.
func startKubernetes(t *testing.T) *kubernetes {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		t.Fatal("KUBEBUILDER_ASSETS names no folder with kube-apiserver, kube-controller-manager and kubectl; make test-kubernetes sets it")
	}
	k := &kubernetes{t: t, root: t.TempDir(), assets: assets}
	const token = "loopback"
	api, peer, client := freePort(t), freePort(t), freePort(t)
	k.write("tokens.csv", token+`,test,test,"system:masters"`+"\n")
	k.write("config", fmt.Sprintf(kubeconfig, api, token))
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	k.write("accounts.key", string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})))
	store := fmt.Sprintf("http://127.0.0.1:%d", client)
	k.daemon("etcd", "--data-dir", k.path("etcd"), "--listen-client-urls", store, "--advertise-client-urls", store,
		"--listen-peer-urls", fmt.Sprintf("http://127.0.0.1:%d", peer), "--initial-advertise-peer-urls", fmt.Sprintf("http://127.0.0.1:%d", peer),
		"--initial-cluster", fmt.Sprintf("default=http://127.0.0.1:%d", peer))
	k.daemon("kube-apiserver", "--etcd-servers", store, "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1", "--secure-port", fmt.Sprint(api),
		"--cert-dir", k.path("certificates"), "--token-auth-file", k.path("tokens.csv"), "--authorization-mode", "AlwaysAllow",
		"--service-account-issuer", "https://loop", "--service-account-key-file", k.path("accounts.key"), "--service-account-signing-key-file", k.path("accounts.key"),
		"--service-cluster-ip-range", "10.0.0.0/24", "--endpoint-reconciler-type", "none", "--disable-admission-plugins", "ServiceAccount")
	k.until("the API server is ready", func() bool { return k.try("get", "--raw", "/readyz") == "ok" })
	k.daemon("kube-controller-manager", "--kubeconfig", k.path("config"), "--controllers", "job-controller", "--leader-elect=false", "--secure-port", "0")
	return k
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (k *kubernetes) path(name string) string { return filepath.Join(k.root, name) }

func (k *kubernetes) write(name, text string) {
	k.t.Helper()
	if err := os.WriteFile(k.path(name), []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

// daemon starts a program that runs until the test ends.
func (k *kubernetes) daemon(name string, args ...string) {
	k.t.Helper()
	path := filepath.Join(k.assets, name)
	if _, err := os.Stat(path); err != nil {
		path = name
	}
	c := exec.Command(path, args...)
	var log bytes.Buffer
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have gone by itself
		kill := time.AfterFunc(30*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait() // the signal is no success
		kill.Stop()
		if text := log.Bytes(); k.t.Failed() {
			k.t.Logf("%s:\n%s", name, text[max(len(text)-3000, 0):])
		}
	})
}

// kubectl runs the program of that name, with text as its input, and gives what it writes.
func (k *kubernetes) kubectl(text string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(k.assets, "kubectl"), append([]string{"--kubeconfig", k.path("config")}, args...)...)
	c.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, said.Bytes())
	}
	return strings.TrimSpace(string(out)), err
}

func (k *kubernetes) must(args ...string) string {
	k.t.Helper()
	out, err := k.kubectl("", args...)
	if err != nil {
		k.t.Fatal(err)
	}
	return out
}

// try is must for what may fail: then it is "".
func (k *kubernetes) try(args ...string) string {
	out, _ := k.kubectl("", args...) // the caller asks again, or does not need it
	return out
}

func (k *kubernetes) until(what string, is func() bool) {
	k.t.Helper()
	for deadline := time.Now().Add(wait); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			k.t.Fatalf("waited in vain until %s\n%s", what, k.try("get", "jobs,pods", "-o", "yaml"))
		}
	}
}

// pod is what a node wants to know of one.
type pod struct {
	Metadata struct {
		Name, DeletionTimestamp string
		Annotations             map[string]string
	}
	Spec struct {
		NodeName   string
		Containers []struct {
			Name          string
			Command, Args []string
			Env           []struct {
				Name, Value string
				ValueFrom   struct{ FieldRef struct{ FieldPath string } }
			}
		}
	}
}

const indexAnnotation = "batch.kubernetes.io/job-completion-index"

// index is the number of a part; that of a pod of a Job that is not indexed is "".
func (p *pod) index() string { return p.Metadata.Annotations[indexAnnotation] }

// node stands for scheduler, kubelet and volumes: it takes every pod, runs its only container as a process that finds the program in its
// PATH and the volume at the path where it is mounted, asks it to stop when the pod is deleted, and says how it ended.
type node struct {
	k       *kubernetes
	path    string // PATH of the containers
	mu      sync.Mutex
	running map[string]*exec.Cmd // by name of pod
	indices map[string]string    // name of pod by index
	began   map[string]int       // processes of each index
	wrong   error                // all that went wrong
}

// serve runs pods until the context ends.
func (n *node) serve(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	for ; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		out, err := n.k.kubectl("", "get", "pods", "-o", "json")
		if err != nil {
			n.fail(err)
			continue
		}
		var list struct{ Items []pod }
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			n.fail(err)
			return
		}
		for _, p := range list.Items {
			n.mu.Lock()
			c := n.running[p.Metadata.Name]
			n.mu.Unlock()
			switch {
			case c == nil && p.Spec.NodeName == "" && p.Metadata.DeletionTimestamp == "":
				if err := n.start(&p, &group); err != nil {
					n.fail(err)
				}
			case c != nil && p.Metadata.DeletionTimestamp != "":
				_ = c.Process.Signal(syscall.SIGTERM) // it may just have ended; a second one stops at once, as its exit code would show
				n.mu.Lock()
				n.running[p.Metadata.Name] = nil
				n.mu.Unlock()
			}
		}
	}
}

// fail remembers what went wrong.
func (n *node) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wrong = errors.Join(n.wrong, err)
}

// start binds a pod to the node and starts its container.
func (n *node) start(p *pod, group *sync.WaitGroup) error {
	name := p.Metadata.Name
	binding := fmt.Sprintf(`{"apiVersion":"v1","kind":"Binding","metadata":{"name":%q},"target":{"apiVersion":"v1","kind":"Node","name":"loop"}}`, name)
	if _, err := n.k.kubectl(binding, "create", "--raw", "/api/v1/namespaces/default/pods/"+name+"/binding", "-f", "-"); err != nil {
		return err
	}
	container := p.Spec.Containers[0]
	command := append(container.Command, container.Args...)
	c := exec.Command(command[0], command[1:]...)
	c.Env = []string{"PATH=" + n.path, "HOME=" + n.k.root}
	for _, e := range container.Env {
		if path := e.ValueFrom.FieldRef.FieldPath; path == "metadata.annotations['"+indexAnnotation+"']" || path == "metadata.labels['"+indexAnnotation+"']" {
			e.Value = p.index()
		} else if path != "" {
			return fmt.Errorf("%s of %s is %s", e.Name, name, path)
		}
		c.Env = append(c.Env, e.Name+"="+e.Value)
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return err
	}
	n.mu.Lock()
	n.running[name], n.indices[p.index()] = c, name
	n.began[p.index()]++
	n.mu.Unlock()
	if err := n.report(name, container.Name, "Running", `{"running":{}}`); err != nil {
		return err
	}
	group.Go(func() {
		_ = c.Wait() // the exit code says it
		code, phase := c.ProcessState.ExitCode(), "Succeeded"
		if code < 0 {
			code = 128 + int(c.ProcessState.Sys().(syscall.WaitStatus).Signal())
		}
		if code != 0 {
			phase = "Failed"
		}
		n.k.t.Logf("pod %s, index %q: exit code %d %s", name, p.index(), code, &said)
		if err := n.report(name, container.Name, phase, fmt.Sprintf(`{"terminated":{"exitCode":%d}}`, code)); err != nil {
			n.fail(err)
		}
		if out, err := n.k.kubectl("", "get", "pod", name, "-o", "jsonpath={.metadata.deletionTimestamp}"); err == nil && out != "" {
			n.k.try("delete", "pod", name, "--grace-period=0", "--force", "--wait=false") // as a kubelet does when the container has ended
		}
	})
	return nil
}

// report tells the API server of a container's state.
func (n *node) report(pod, container, phase, state string) error {
	status := fmt.Sprintf(`{"status":{"phase":%q,"containerStatuses":[{"name":%q,"ready":false,"restartCount":0,"image":"x","imageID":"x","state":%s}]}}`,
		phase, container, state)
	_, err := n.k.kubectl("", "patch", "pod", pod, "--subresource=status", "--type=merge", "-p", status)
	return err
}

// process is that of an index, with the name of its pod.
func (n *node) process(index string) (string, *exec.Cmd) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name := n.indices[index]
	return name, n.running[name]
}

// A sweep that ran as an Indexed Job of four parts, of which one pod was evicted and another killed in the middle, and was merged by the
// Job that waits for them, has the same files as one local run. A sweep file that is wrong fails its Job at once.
func TestKubernetesJobGivesTheSameBytes(t *testing.T) {
	k := startKubernetes(t)
	program := k.path("bin/retrylab")
	if out, err := exec.Command("go", "build", "-o", program, "retrylab/cmd/retrylab").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	n := &node{k: k, path: filepath.Dir(program) + ":/usr/bin:/bin", running: map[string]*exec.Cmd{}, indices: map[string]string{}, began: map[string]int{}}
	served := make(chan struct{})
	go func() { defer close(served); n.serve(ctx) }()
	defer func() {
		stop()
		<-served
		if n.wrong != nil {
			t.Error(n.wrong)
		}
	}()
	out := k.path("out")
	retrylab := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	retrylab("submit", "testdata/sweep.yaml", "--shards", "4", "--at-once", "2", "--kubernetes", "--checkpoint", "200ms", "--out", out)
	k.must("apply", "--validate=strict", "-f", filepath.Join(out, "job.yaml"))

	hasTrials := func(part string) bool {
		found, _ := filepath.Glob(filepath.Join(out, "part-"+part, ".checkpoint", "segment-*")) // the pattern is right
		return len(found) > 0
	}
	k.until("part 1 has finished some trials", func() bool { return hasTrials("1") })
	evicted, _ := n.process("0")
	eviction := fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":%q,"namespace":"default"}}`, evicted)
	if _, err := k.kubectl(eviction, "create", "--raw", "/api/v1/namespaces/default/pods/"+evicted+"/eviction", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	k.until("part 2 has finished some trials", func() bool { return hasTrials("2") })
	if _, c := n.process("1"); c == nil || c.Process.Kill() != nil {
		t.Fatal("part 2 has ended before it could be killed")
	}
	k.must("wait", "--for=condition=complete", "--timeout=5m", "job/retrylab-cluster")
	if got := k.must("get", "job", "retrylab-cluster", "-o", "jsonpath={.status.completedIndexes} {.status.succeeded} {.status.failed}"); got != "0-3 4 1" {
		t.Errorf("completed indices, successes, and failures, of which an eviction is none: %s", got)
	}
	n.mu.Lock()
	if got := fmt.Sprint(n.began["0"], n.began["1"], n.began["2"], n.began["3"]); got != "2 2 1 1" {
		t.Errorf("pods of each index: %s", got)
	}
	n.mu.Unlock()
	k.must("patch", "job", "retrylab-cluster-merge", "-p", `{"spec":{"suspend":false}}`)
	k.must("wait", "--for=condition=complete", "--timeout=5m", "job/retrylab-cluster-merge")
	retrylab("verify", filepath.Join(out, "merged"))
	local := k.path("local")
	retrylab("sweep", "testdata/sweep.yaml", "--out", local, "--quiet")
	compare(t, local, filepath.Join(out, "merged"))
	failsAtOnce(k, retrylab)
}

// failsAtOnce checks that a sweep file that is wrong fails its Job with the first pod.
func failsAtOnce(k *kubernetes, retrylab func(args ...string)) {
	k.t.Helper()
	text, err := os.ReadFile("testdata/sweep.yaml")
	if err != nil {
		k.t.Fatal(err)
	}
	wrong := k.path("wrong")
	k.write("wrong.yaml", strings.Replace(string(text), "name: cluster", "name: wrong", 1))
	retrylab("submit", k.path("wrong.yaml"), "--shards", "4", "--at-once", "1", "--kubernetes", "--out", wrong)
	k.write("wrong/wrong.yaml", "name: [")
	k.must("apply", "--validate=strict", "-f", filepath.Join(wrong, "job.yaml"))
	k.must("wait", "--for=condition=failed", "--timeout=5m", "job/retrylab-wrong")
	if got := k.must("get", "job", "retrylab-wrong", "-o", `jsonpath={.status.failed} {.status.conditions[?(@.type=="Failed")].reason}`); got != "1 PodFailurePolicy" {
		k.t.Errorf("pods that failed and why the Job did: %s", got)
	}
}
