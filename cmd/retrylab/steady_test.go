package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A sweep without faults is told when its slowest cell settles, and warned once where it is measured before.
func TestSweepSaysWhenItSettles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fills.yaml")
	const text = "name: fills\nbase:\n  duration: 60s\n  drain: 1s\n  clients: [{arrivals: {rate: 500}, call: {to: A}}]\n  services: [{name: A, servers: 0, time: {kind: constant, mean: 8s}}]\n" +
		"trials: 1\nfactors: [{name: mean, path: services.A.time.mean, suffix: s, list: [1, 8]}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := expect(t, exitOK, "sweep", file, "--dry-run"); !strings.Contains(r.stdout, "mean=8 settles last, after ") || strings.Contains(r.stderr, "settles") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	if r := expect(t, exitOK, "sweep", file, "--dry-run", "--set", "duration=10s"); !strings.Contains(r.stdout, "has not settled within the trial (MSER-5 on open requests): make it longer") {
		t.Error(r.stdout)
	}
	if r := expect(t, exitOK, "sweep", file, "--quiet", "--out", filepath.Join(t.TempDir(), "cold")); strings.Count(r.stderr, "warning: ") != 1 || !strings.Contains(r.stderr, "warmup is 0s") {
		t.Errorf("not warned: %s", r.stderr)
	}
	if r := expect(t, exitOK, "sweep", file, "--quiet", "--set", "warmup=20s", "--out", filepath.Join(t.TempDir(), "warm")); strings.Contains(r.stderr, "warning") {
		t.Errorf("warned: %s", r.stderr)
	}
}

// Where nothing tips, tipping says so in a sentence.
func TestTippingWithoutACrossing(t *testing.T) {
	args := []string{"tipping", "testdata/sweep.yaml", "--factor", "p", "--from", "0.1", "--to", "0.3", "--sweep", "servers=4", "--max-trials", "100"}
	r := expect(t, exitOK, args...)
	if !strings.Contains(r.stdout, "collapse stays below 0.5 from p 0.1 to 0.3 (40 trials)\n") || strings.Contains(r.stdout, "NaN") {
		t.Error(r.stdout)
	}
}
