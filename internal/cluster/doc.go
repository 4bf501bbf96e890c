// Package cluster has no code of its own: its test runs a sweep on a real Slurm, which it starts on this machine.
//
//	make test-cluster
//
// It needs root, the Debian packages slurmctld, slurmd, slurm-client and munge, and the build tag cluster.
package cluster
