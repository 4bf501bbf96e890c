#!/bin/sh
# Builds the programs of Kubernetes that make test-kubernetes runs into the folder $1, from the sources that the module proxy has.
# A release asks for its own parts by relative paths, which only work in its repository; here they are asked for by version.
set -eu
release=1.34.4
mkdir -p "$1"
cd "$1"
[ -x kube-apiserver ] && [ -x kube-controller-manager ] && [ -x kubectl ] && exit
parts=$(GOWORK=off go mod download -json "k8s.io/kubernetes@v$release" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
mkdir -p build && cd build
sed -e 's/^module .*/module build/' -e "s#=> ./staging/src/\(.*\)#=> \1 v0.${release#1.}#" "$parts" > go.mod
echo "require k8s.io/kubernetes v$release" >> go.mod
GOFLAGS=-mod=mod CGO_ENABLED=0 go build -o .. k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager k8s.io/kubernetes/cmd/kubectl
