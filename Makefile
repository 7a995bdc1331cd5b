# make up      start the casino on this machine; Ctrl-C stops it. PORT=8001 and DATA_DIR=... may follow.
# make test    linters, types and all tests but the long proofs
# make proof   the long proofs, with their figures, and the laws on many examples; SHORT=1: each proof in its short form
# make check   linters and types alone
# make audit   known flaws of what the locks name, and bills of materials in test-results/audit; asks https://pypi.org
# make clean   remove .venv and caches; never the data

PYTHON ?= python3
RUN := .venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: up test proof check audit clean venv product tools

up: product
	@exec $(RUN) manage.py up

# Where the environment forbids bytecode, each of the suite's hundreds of processes would compile all anew.
test proof: export PYTHONDONTWRITEBYTECODE :=

test: check
	@exec $(RUN) -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not proof"

proof: tools
	@PROOF=$(if $(SHORT),short,whole) exec $(RUN) -m pytest $(if $(SHORT),-m proof -n 3 --dist loadfile --no-loadscope-reorder,-m "proof or hypothesis" -s)

check: tools
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@$(RUN) -m mypy

# Its tools stand apart: they are no part of the product or its tests, and what they need must not change those.
audit: venv
	@test -x .venv/audit/bin/pip-audit -a .venv/audit/lock -nt .ci/requirements.txt || { rm -rf .venv/audit && \
	    $(RUN) -m venv .venv/audit && .venv/audit/bin/python -m pip install -q --require-hashes -r .ci/requirements.txt && \
	    touch .venv/audit/lock; }
	@exec .venv/audit/bin/python .ci/audit.py test-results/audit

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "Removed .venv and caches; the data folder (var or your DATA_DIR) stays."

# One make at a time prepares .venv, and waits for the pip of one that was killed: pip inherits file 9.
ONE_AT_A_TIME := exec 9<Makefile; if command -v flock >/dev/null && ! flock -n 9; then \
    echo "Another make prepares .venv; waiting for it ..."; flock 9; fi
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# Without pip's list of files its own installation was interrupted.
WHOLE := import importlib.metadata, pip._internal.cli.main, sys; \
    sys.exit(sys.version_info < (3, 11) or not importlib.metadata.files("pip"))

# A virtual environment that was interrupted, moved or lost its Python is made anew.
venv:
	@$(ONE_AT_A_TIME); \
	if ! $(RUN) -c '$(WHOLE)' >/dev/null 2>&1; then \
	    $(PYTHON) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	        echo "Python 3.11 or newer is needed and $(PYTHON) is not; name another: make PYTHON=python3.12" >&2; \
	        exit 1; }; \
	    $(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	        version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	        echo "$(PYTHON) lacks ensurepip; install the Debian package python3-venv (or python$$version-venv)." >&2; \
	        exit 1; }; \
	    echo "Making .venv ..."; \
	    rm -rf .venv && $(PYTHON) -m venv .venv || { \
	        echo "$(PYTHON) could not make .venv; when the reason above is mended, the same command goes on." >&2; \
	        exit 1; }; \
	fi

# $(call install,FILE): install a lock unless its checksum is that of the last time.
define install
	@$(ONE_AT_A_TIME); \
	sum=$$(cksum < $(1)); stamp=.venv/installed-$(subst /,-,$(1)); \
	if [ "$$(cat $$stamp 2>/dev/null)" != "$$sum" ]; then \
	    trap 'kill $$pip 2>/dev/null; echo " interrupted; the same command goes on."; exit 130' INT TERM HUP; \
	    printf 'Installing %s packages of $(1) ' "$$(grep -c == $(1))"; \
	    $(RUN) -m pip install --require-hashes -r $(1) > .venv/install.log 2>&1 & pip=$$!; \
	    while kill -0 $$pip 2>/dev/null; do printf .; sleep 1; done; \
	    if wait $$pip; then echo " done"; echo "$$sum" > $$stamp; \
	    else \
	        echo " failed; the end of .venv/install.log:"; tail -n 20 .venv/install.log; \
	        echo "Installing $(1) failed; when the reason above is mended, the same command goes on." >&2; \
	        exit 1; \
	    fi; \
	fi
endef

product: venv
	$(call install,requirements.txt)

tools: product
	$(call install,tests/requirements.txt)
