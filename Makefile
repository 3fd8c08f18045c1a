# The commands of the README. Everything that is not Swift's own business is in scripts/.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
URL ?=
ARGS ?=

RELEASE = $(SWIFT) build --configuration release --static-swift-stdlib
# Warnings are errors here; in a folder of its own, because the setting changes every command line of the build.
STRICT = AIRCHECK_STRICT=1 $(SWIFT)
STRICT_PATH = --scratch-path .build-check

.DEFAULT_GOAL := help
.PHONY: help run build test check lint bench install uninstall clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Record the bundled programme into ./recordings; URL=http://… records that station, ARGS=… adds options
ifeq ($(URL),)
	@"$$($(RELEASE) --show-bin-path)/aircheck" demo $(ARGS)
else
	@"$$($(RELEASE) --show-bin-path)/aircheck" record '$(URL)' --output recordings $(ARGS)
endif

build: ## Build for release
	@scripts/setup build run
	@$(RELEASE) --product aircheck

test: ## Run the whole suite, against a real Icecast, ffmpeg and mpg123
	@scripts/setup build run test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest
	$(SWIFT) test --configuration release --disable-xctest --filter EventLoopTests

check: lint ## Format, build with warnings as errors, and run every test: what a change must pass
	@scripts/setup build run test
	$(STRICT) build --build-tests $(STRICT_PATH)
	$(STRICT) test --skip-build --disable-xctest $(STRICT_PATH)

lint: ## Check the format of all Swift files
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

bench: ## Print the figures that Aircheck promises, each beside its peer measured in the same run
	@scripts/setup build run test
	@$(RELEASE)
	@"$$($(RELEASE) --show-bin-path)/aircheck-bench" $(ARGS)

install: build ## Install below PREFIX (/usr/local): the program, completions, examples, a service for systemd
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install "$$($(RELEASE) --show-bin-path)/aircheck"

uninstall: ## Remove what install put there
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install --remove

clean: ## Remove everything that was built
	rm -rf .build .build-check
