# The front door: `make demo` and `make test` work on a fresh Debian 12 with git, make and Python 3.11.
# `make help` lists the rest. CMake does the building; see CMakePresets.json.
.DEFAULT_GOAL := help
PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
VENV := .venv
VENV_PYTHON := $(CURDIR)/$(VENV)/bin/python
ARGS ?=

# With ccache, build folders side by side (release, the Python package) share their objects.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- What must be on the machine ---------------------------------------------------------------------------------
.PHONY: packages
packages:
	@third_party/install_packages.sh </dev/null

$(VENV)/installed: third_party/requirements.txt | packages
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement third_party/requirements.txt
	@touch $@

.PHONY: setup
setup: packages $(VENV)/installed ## install Debian packages and Python packages (into .venv)

# --- Builds: build/release, build/asan, build/tsan ----------------------------------------------------------------
# UNITY=OFF compiles each source by itself, which is quicker after a change.
UNITY ?= ON
CONFIGURE_RELEASE = cmake --preset release -DSCAUP_UNITY=$(UNITY) -DSCAUP_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(VENV_PYTHON) >build/configure-release.log \
	|| { cat build/configure-release.log; exit 1; }
CONFIGURE_SANITIZED = cmake --preset $(1) -DSCAUP_UNITY=$(UNITY) -DSCAUP_BUILD_SHELL=OFF -DPython_EXECUTABLE=$(VENV_PYTHON) >build/configure-$(1).log \
	|| { cat build/configure-$(1).log; exit 1; }

.PHONY: build
build: setup ## build everything: library, shell, Python module, tests, benchmarks
	@mkdir -p build
	@$(CONFIGURE_RELEASE)
	cmake --build build/release --parallel $(JOBS)

.PHONY: shell
shell: setup
	@mkdir -p build
	@$(CONFIGURE_RELEASE)
	cmake --build build/release --parallel $(JOBS) --target scaup_shell

# --- What one comes for -------------------------------------------------------------------------------------------
.PHONY: demo
demo: shell ## build, load 336,776 flights from CSV, ask a few questions, plot an answer
	cmake --build build/release --parallel $(JOBS) --target _scaup
	@docs/demo/demo.sh build/release/extension/shell/scaup $(VENV_PYTHON) build/release/extension/python

# Without PYTHON=... for the Python of .venv, which has the tools already.
.PHONY: wheel
wheel: shell ## make a Python wheel in dist/; PYTHON=python3.12 for another Python
	@$(VENV_PYTHON) extension/python/make_wheel.py build/release $(if $(filter file,$(origin PYTHON)),,--python $(PYTHON))

.PHONY: wheels
wheels: shell ## make and check wheels for every installed Python from 3.10 to 3.13
	@$(VENV_PYTHON) -B test/python_wheel/check_wheel.py build/release --into dist \
		$$(for version in 3.10 3.11 3.12 3.13; do python$$version -c '' 2>/dev/null && echo "--python python$$version"; done)

.PHONY: test
test: build ## build and run every test; ARGS=--only=NAME picks some
	@$(VENV_PYTHON) test/run.py build/release --jobs 2 --package $(ARGS)

.PHONY: asan
asan: setup ## unit, simulation, history and SQL tests under the address and undefined-behaviour sanitizers
	@mkdir -p build
	@$(call CONFIGURE_SANITIZED,asan)
	cmake --build build/asan --parallel $(JOBS)
	@$(VENV_PYTHON) test/run.py build/asan --jobs $(JOBS) --only 'unit_.*|simulation|histories|runner_selftest|sql_file_dictionary_vectors' $(ARGS)

# What runs in parallel: the scheduler, CSV, scans and operators, the API, histories, and all SQL with four threads.
.PHONY: tsan
tsan: setup ## the parallel parts under the thread sanitizer
	@mkdir -p build
	@$(call CONFIGURE_SANITIZED,tsan)
	cmake --build build/tsan --parallel $(JOBS)
	@$(VENV_PYTHON) test/run.py build/tsan --jobs $(JOBS) --only 'unit_(common|function|transaction|storage|catalog|execution|main)|histories|sql_four_threads' $(ARGS)

.PHONY: bench
bench: build ## kernels alone, then TPC-H beside DuckDB; ARGS go to benchmark/compare/tpch.py
	build/release/benchmark/micro/scaup_micro --benchmark_min_time=0.05
	PYTHONPATH=build/release/extension/python $(VENV_PYTHON) benchmark/compare/tpch.py $(ARGS)

# --- Style --------------------------------------------------------------------------------------------------------
.PHONY: format
format: packages ## format all C++ files
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' | xargs -0 -P $(JOBS) -n 40 clang-format -i

.PHONY: lint
lint: packages ## layers, house rules, formatting, mutexes
	@$(PYTHON) test/tidy/tidy.py --format --locks

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build $(VENV) .cache
