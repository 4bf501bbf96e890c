// Package cluster has no code of its own: its tests run a sweep on a real Slurm and on a real Kubernetes, which they start on this machine.
//
//	make test-cluster
//	make test-kubernetes
//
// The first needs root, the Debian packages slurmctld, slurmd, slurm-client and munge, and the build tag cluster. The second needs
// etcd (Debian: etcd-server), the programs that internal/tools/kubernetes.sh builds, and the build tag kubernetes.
package cluster
