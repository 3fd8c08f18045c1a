# The commands of the README. What Swift does not do by itself is in scripts/.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
URL ?=
ARGS ?=
SECONDS ?= 60
TARGETS ?=

# The width is the number of tests that run at once. On two cores more of them would starve each other, but tests of
# the whole program mostly wait.
TEST = scripts/run-tests $(SWIFT) test --disable-xctest --experimental-maximum-parallelization-width 8
TEST_WHOLE = scripts/run-tests $(SWIFT) test --disable-xctest --experimental-maximum-parallelization-width 16
# Tests that play or decode keep the processors busy. They run apart, because other tests measure seconds.
SOUND = SoundOutputTests|DecodingTests|ControlTests|QueueUseTests|QueueWebTests
# Tests run on an optimized build, in which days of virtual time take seconds. All of them share it.
OPTIMIZED = --configuration release -Xswiftc -enable-testing
# The tests that also run without optimization. They are few, because building takes longer than running.
# (`make check` builds everything without it, with benchmarks and soaks.)
IN_DEBUG = AIRCHECK_TESTS="EventLoopTests"
RELEASE = $(SWIFT) build --configuration release --static-swift-stdlib
# Builds with warnings as errors. They have a folder of their own, because the setting changes every compiler command.
STRICT = AIRCHECK_STRICT=1
STRICT_PATH = --scratch-path .build-check

.DEFAULT_GOAL := help
.PHONY: help run build test check lint size bench fuzz soak players tsan install uninstall deb deb-test check-deploy clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Record the bundled programme into ./recordings; URL=http://… records that station, ARGS=… adds options
ifeq ($(URL),)
	@"$$($(RELEASE) --show-bin-path)/aircheck" demo $(ARGS)
else
	@"$$($(RELEASE) --show-bin-path)/aircheck" record '$(URL)' --output recordings $(ARGS)
endif

build: ## Build for release
	@scripts/setup build run
	@$(RELEASE) --product aircheck

# End-to-end tests run alone, because they measure seconds.
test: ## Run the whole suite, against real servers and players
	@scripts/setup build run test
	$(SWIFT) build --product aircheckPackageTests $(OPTIMIZED)
	$(SWIFT) build --product aircheck $(OPTIMIZED)
	$(SWIFT) build --product network-rig $(OPTIMIZED)
	$(TEST) $(OPTIMIZED) --skip-build --skip 'EndToEndTests|$(SOUND)'
	$(TEST_WHOLE) $(OPTIMIZED) --skip-build --filter '$(SOUND)'
	$(TEST_WHOLE) $(OPTIMIZED) --skip-build --filter EndToEndTests
	$(IN_DEBUG) $(SWIFT) build --product aircheckPackageTests
	$(IN_DEBUG) $(TEST) --skip-build --filter EventLoopTests

check: lint ## Format, build with warnings as errors, and run every test: what a change must pass
	@scripts/setup build run test
	$(STRICT) $(SWIFT) build --build-tests $(STRICT_PATH)
	$(STRICT) $(TEST) --skip-build $(STRICT_PATH) --skip 'EndToEndTests|$(SOUND)'
	$(STRICT) $(TEST_WHOLE) --skip-build $(STRICT_PATH) --filter '$(SOUND)'
	$(STRICT) $(TEST_WHOLE) --skip-build $(STRICT_PATH) --filter EndToEndTests

lint: ## Check the format of all Swift files
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks

size: ## Count the lines of code of each target, and name the files that are so long that they may need splitting
	@scripts/size

bench: ## Print the figures that Aircheck promises, each beside its peer measured in the same run
	@scripts/setup build run test
	@$(RELEASE)
	@"$$($(RELEASE) --show-bin-path)/aircheck-bench" $(ARGS)

fuzz: ## Look for inputs that harm the parsers, SECONDS=60 for each target; TARGETS="ogg mpeg" names some
	@SWIFTC='$(SWIFT)c' scripts/fuzz $(SECONDS) $(TARGETS)

# Suites that start programs are left out: under the sanitizer, a child forked from a process with threads hangs.
tsan: ## Look for data races in playing, with real threads
	@scripts/setup build run test
	AIRCHECK_TESTS=PlaybackTests $(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-tsan
	AIRCHECK_TESTS=PlaybackTests $(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build-tsan --skip-build --skip DriftTests

soak: ## Run the hazards that need minutes; ARGS names some of them, see docs/hazards.md
	@scripts/setup build run test soak
	@$(RELEASE)
	@"$$($(RELEASE) --show-bin-path)/aircheck-soak" $(ARGS)

# Apart from `make test`, because the packages of these players are many and large.
players: ## Have VLC, MPD, GStreamer and Chromium play the relay, and fail2ban read the log
	@scripts/setup build run test players
	$(SWIFT) build --product aircheckPackageTests $(OPTIMIZED)
	$(SWIFT) build --product aircheck $(OPTIMIZED)
	AIRCHECK_PLAYERS=1 $(TEST_WHOLE) $(OPTIMIZED) --skip-build --filter 'RelayPlayerTests|Fail2banTests'

# Builds nothing: it mostly runs as root, whose path lacks Swift, and who should leave no files in this folder.
install: ## Install what `make build` has built below PREFIX (/usr/local), with completions and services for systemd
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install .build/release/aircheck

uninstall: ## Remove what install put there
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install --remove

deb: build ## Make a Debian package of it, in .build
	@scripts/setup deb
	@scripts/deb

deb-test: ## Install, upgrade, remove and purge that package in a fresh Debian system in a temporary folder (as root)
	@scripts/setup deb
	@scripts/deb-test

check-deploy: build ## Check units, alerts and proxies with systemd, Prometheus, nginx and Caddy; what this machine lacks is fetched into .build
	@scripts/check-deploy

clean: ## Remove everything that was built
	rm -rf .build .build-check .build-fuzz .build-tsan
