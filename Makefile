# retrylab. `make` alone prints this help.
.DEFAULT_GOAL := help
.PHONY: help build paper sweeps test test-cluster test-kubernetes bench profile lint fmt tools clean

GO     ?= go
PYTHON ?= python3
TOOLS  := .tools
VENV   := .venv
# The versions of the linters, fixed so that a new release cannot break an old commit.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

help: ## print this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F '\t' '{printf "  make %-16s %s\n", $$1, $$2}'
	@echo
	@echo "  make paper QUICK=1 and make sweeps QUICK=1: fewer trials, into out/quick and out/quick-sweeps"

# A profile of the engine's own workloads: with it the compiler inlines the hot calls (docs/adr/0004-profile.md).
PGO := -pgo=internal/bench/engine.pgo

build: ## build bin/retrylab
	$(GO) build $(PGO) -o bin/retrylab ./cmd/retrylab

ifdef QUICK
paper: build ## run the paper's experiments and write results/paper
	bin/retrylab paper --quick --out out/quick
else
paper: build
	bin/retrylab paper
	bin/retrylab docs README.md docs/findings.md
endif

# The standard sweeps, experiments/sweeps/*.yaml; what a stopped run has finished is kept.
SWEEPS := amplification harm-map topology recovery correlation jitter

ifdef QUICK
sweeps: build ## run the standard sweeps and write results/sweeps
	for s in $(SWEEPS); do bin/retrylab sweep $$s --quick --again --out out/quick-sweeps/$$s || exit; done
else
sweeps: build
	for s in $(SWEEPS); do bin/retrylab sweep $$s --again --out results/sweeps/$$s || exit; done
endif

test: tools ## run all tests
	$(GO) test ./...

test-cluster: ## run a sweep on a Slurm of its own (needs root, slurmctld, slurmd, slurm-client, munge)
	$(GO) test -tags cluster -count=1 -v ./internal/cluster

test-kubernetes: ## run a sweep on a Kubernetes of its own (needs etcd; builds the rest once, which takes many minutes)
	internal/tools/kubernetes.sh $(TOOLS)/kubernetes
	KUBEBUILDER_ASSETS=$(CURDIR)/$(TOOLS)/kubernetes $(GO) test -tags kubernetes -count=1 -v ./internal/cluster

bench: ## measure the engine against a C program
	$(GO) run $(PGO) ./internal/bench

profile: ## refresh the profile that the build uses
	$(GO) run ./internal/bench -cpuprofile internal/bench/engine.pgo

lint: ## gofmt, go vet, staticcheck; govulncheck where its database can be reached
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "gofmt would change these files"; exit 1; }
	$(GO) vet ./... && $(GO) vet -tags cluster,kubernetes ./internal/cluster
	$(GO) run $(STATICCHECK) ./...
	@$(GO) run $(GOVULNCHECK) ./... || echo "govulncheck found something, or could not reach its database (see above)"

fmt: ## format all Go files
	gofmt -w $$(git ls-files '*.go')

tools: $(VENV)/ready $(TOOLS)/ready ## set up the foreign Parquet readers that the tests use

$(VENV)/ready: internal/tools/python-requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# Without Node.js the test of that reader is skipped, except in CI.
$(TOOLS)/ready: internal/tools/package.json internal/tools/package-lock.json
	mkdir -p $(TOOLS)
	cp internal/tools/package.json internal/tools/package-lock.json $(TOOLS)/
	if command -v npm >/dev/null; then cd $(TOOLS) && npm ci --silent --no-audit --no-fund; else echo "no npm: the JavaScript reader is not tested"; fi
	touch $@

clean: ## remove what was built
	rm -rf bin out $(VENV) $(TOOLS)
