# `make submission` and `make test` set up everything they need.
.DEFAULT_GOAL := help
PYTHON_BIN := .venv/bin
OUT := out
MINUTES := 10
SAMPLE := 50
TESTS := not slow and not further and not long
PYTEST := $(PYTHON_BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
COMPILE := $(PYTHON_BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

# If set, as in many containers, every process compiles all imported modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help submission nevada wsgc test test-long lint types texts slow new-finding fuzz mutation branches bench docs pictures samples site wheel release audit lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

.venv/ready: .ci/setup requirements.lock pyproject.toml
	@bash .ci/setup

.venv/ready-for-tests: .ci/setup requirements.lock requirements-tests.lock pyproject.toml
	@bash .ci/setup tests

submission: .venv/ready ## write two signed submissions under out/ (Nevada and WSGC)
	$(PYTHON_BIN)/certify keys init-dev --if-missing
	@# Much of a count takes one core, so both submissions run at once; the output of the second follows.
	@echo "Counting, printing and signing two submissions at the same time." >&2
	@mkdir -p $(OUT); begun=$$(date +%s); $(MAKE) --no-print-directory wsgc > $(OUT)/wsgc.log 2>&1 & other=$$!; \
	$(MAKE) --no-print-directory nevada; first=$$?; wait $$other; second=$$?; \
	cat $(OUT)/wsgc.log; rm $(OUT)/wsgc.log; echo "Both took $$(($$(date +%s) - begun)) s." >&2; \
	exit $$((first || second))

nevada:
	$(PYTHON_BIN)/certify submit emperors-challenge-exposed --jurisdiction nevada --out $(OUT)/nevada
	$(PYTHON_BIN)/certify verify $(OUT)/nevada

wsgc:
	$(PYTHON_BIN)/certify submit dealer-open-pai-gow --jurisdiction wsgc --out $(OUT)/wsgc
	$(PYTHON_BIN)/certify verify $(OUT)/wsgc

lint: .venv/ready-for-tests ## check style, types, imports, language, generated pages and advisories
	$(PYTHON_BIN)/ruff check .
	$(PYTHON_BIN)/ruff format --check .
	$(PYTHON_BIN)/lint-imports
	$(PYTHON_BIN)/python .ci/audit.py
	@$(MAKE) --no-print-directory --jobs 2 types texts

types:
	$(PYTHON_BIN)/mypy

texts:
	$(PYTHON_BIN)/python .ci/plain_english.py
	$(PYTHON_BIN)/python -m docs.generate --check

test: lint ## lint, and a quick test of every behavior; with TESTS="not slow and not further" the long ones, too
	$(PYTEST) -m "$(TESTS)"

test-long: .venv/ready-for-tests ## whole submissions, every page in a browser, installers, larger decks
	$(PYTEST) -m "(long or further) and not slow"

slow: .venv/ready-for-tests ## counts of hours, which continuous integration leaves out
	$(PYTHON_BIN)/python -m pytest -m slow

new-finding: .venv/ready-for-tests ## write function and case of a finding, CODE=P021; again for its expected.json
	@$(PYTHON_BIN)/python -m tools.new_finding $(CODE)

fuzz: .venv/ready-for-tests ## mutated files and random games for MINUTES=10; failures are stored in out/fuzz/
	$(PYTHON_BIN)/python -m tools.fuzz --minutes $(MINUTES)

mutation: .venv/ready-for-tests ## mutation tests of the quick tests; PACKAGE=kernels, SAMPLE=50
	$(PYTHON_BIN)/python -m tools.mutation --sample $(SAMPLE) $(if $(PACKAGE),--package $(PACKAGE))

branches: .venv/ready-for-tests ## statements and branches that no test reaches, by package
	$(PYTHON_BIN)/python -m tools.branches

bench: .venv/ready-for-tests ## measure speed and memory of whole processes, for the page that `make docs` writes
	$(PYTHON_BIN)/python -m tools.bench --record

docs: .venv/ready-for-tests ## write the generated pages of docs
	$(PYTHON_BIN)/python -m docs.generate

pictures: .venv/ready-for-tests samples ## take the pictures of the web app and of a report in docs/pictures
	CERTIFY_DOCUMENTED=docs/pictures $(PYTHON_BIN)/python -m pytest -q tests/desk/test_pages.py tests/desk/test_signing.py -k accessibility
	pdftoppm -r 60 -png -singlefile -f 1 -l 1 $(OUT)/samples/mini-pai-gow/*.mathematics.pdf docs/pictures/report

samples: .venv/ready-for-tests
	$(PYTHON_BIN)/certify submit mini-pai-gow --jurisdiction nevada --unsigned --quiet --out $(OUT)/samples/mini-pai-gow

site: samples ## build the documentation under out/site/, with sample documents
	$(PYTHON_BIN)/sphinx-build -W --keep-going -q -b html docs $(OUT)/site

wheel: .venv/ready-for-tests ## build the wheel, its lock file and its bill of materials under dist/; with the pages of `make site`
	$(PYTHON_BIN)/uv build --wheel -o dist --build-constraints requirements.lock .
	cp requirements.lock constraints.txt dist/
	$(PYTHON_BIN)/python .ci/sbom.py dist

release: .venv/ready-for-tests ## build the wheel, if every locked package was audited and none has an advisory
	$(PYTHON_BIN)/python .ci/audit.py --release
	$(MAKE) site
	$(MAKE) wheel

audit: .venv/ready-for-tests ## check the locked packages for known advisories
	$(PYTHON_BIN)/python .ci/audit.py

lock: .venv/ready-for-tests ## pin the newest versions that fit pyproject.toml
	$(COMPILE) pyproject.toml --extra all --group build -o requirements.lock
	$(COMPILE) pyproject.toml --all-extras --group build --group dev -c requirements.lock -o requirements-tests.lock
	$(COMPILE) --group pyproject.toml:program -o packaging/pyinstaller.lock
	sed -nE 's/^([a-z].*[^ ]) \\$$/\1/p' requirements.lock > constraints.txt

clean: ## remove build results
	rm -rf .venv $(OUT) dist
