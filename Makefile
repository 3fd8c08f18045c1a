# The commands of the README. What Swift does not do by itself is in scripts/.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
URL ?=
ARGS ?=
SECONDS ?= 60
TARGETS ?=

# Without an index, which takes a tenth of the time of a build, and in which the package tool looks for tests of XCTest.
# Tests/XCTMain.swift says that there are none.
COMPILE = $(SWIFT) build --disable-index-store
# One build for running, testing, measuring and installing. docs/building.md says what is optimized in it, and why.
# The program looks for libraries only where the system has them, never in its own folder.
BUILD = $(COMPILE) --configuration release --disable-local-rpath
PROGRAM = .build/release/aircheck
TEST = scripts/run-tests $(SWIFT) test --configuration release --disable-xctest --enable-swift-testing --skip-build
# The number of tests that run at once. More than twelve would starve each other on two cores, but tests of the whole
# program mostly wait.
WIDTH = --experimental-maximum-parallelization-width
# Tests that play or decode run apart, because they keep the processors busy and other tests measure seconds. Floods of
# input run apart for the same reason.
SOUND = SoundOutputTests|DecodingTests|ControlTests|QueueUseTests|QueueWebTests
FLOODS = EndToEndTests.FloodTests
# Tests that only compute, and so may wait for the processor.
COMPUTING = ProjectRulesTests|RadioFormatsTests|KillPointTests
BESIDE = nice -n 19
# The failures of tests that run beside others, so that they stand at the end of the output, whichever ended last.
FAILED = .build/failed-tests
# The tests that also run without optimization. They are few, because building takes longer than running.
# (`make check` builds everything without it, with benchmarks and soaks.)
IN_DEBUG = AIRCHECK_TESTS="EventLoopTests"
# Builds with warnings as errors. They have a folder of their own, because the setting changes every compiler command.
STRICT = AIRCHECK_STRICT=1
STRICT_PATH = --scratch-path .build-check
STRICT_TEST = $(STRICT) scripts/run-tests $(SWIFT) test --disable-xctest --enable-swift-testing --skip-build $(STRICT_PATH)

.DEFAULT_GOAL := help
.PHONY: help run build test end-to-end computing suite times check lint size bench fuzz soak players tsan install uninstall deb deb-test check-deploy clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Record the bundled programme into ./recordings; URL=http://… records that station, ARGS=… adds options
ifeq ($(URL),)
	@$(PROGRAM) demo $(ARGS)
else
	@$(PROGRAM) record '$(URL)' --output recordings $(ARGS)
endif

build: ## Build the program: .build/release/aircheck
	@scripts/setup build run
	@$(BUILD) --product aircheck

# End-to-end tests measure seconds, and mostly wait. Beside them run, at the lowest priority, tests that only compute, and
# the build without optimization. End-to-end tests have their files on disk; those of the other tests are in memory.
# `make suite` and `make check` have all files on disk.
test: ## Run the whole suite, against real servers and players
	@scripts/setup build run test
	$(BUILD) --product aircheckPackageTests
	$(BUILD) --product aircheck
	$(BUILD) --product network-rig
	scripts/in-memory $(TEST) $(WIDTH) 12 --skip 'EndToEndTests|$(SOUND)|$(COMPUTING)'
	scripts/in-memory $(TEST) $(WIDTH) 16 --filter '$(SOUND)'
	$(TEST) $(WIDTH) 4 --filter '$(FLOODS)'
	@rm -f $(FAILED)
	FAILED_TESTS=$(FAILED) $(MAKE) --jobs=2 --output-sync=target end-to-end computing || { cat $(FAILED) 2>/dev/null; false; }
	$(IN_DEBUG) scripts/run-tests $(SWIFT) test --disable-xctest --enable-swift-testing --skip-build --filter EventLoopTests

end-to-end:
	$(TEST) --ignore-lock $(WIDTH) 20 --filter EndToEndTests --skip '$(FLOODS)'

computing:
	$(BESIDE) scripts/in-memory $(TEST) --ignore-lock $(WIDTH) 2 --filter '$(COMPUTING)'
	$(IN_DEBUG) $(BESIDE) $(COMPILE) --ignore-lock --product aircheckPackageTests

suite: ## Build and run single test targets, without the rest: TARGETS="RadioCoreTests StorageTests"
	$(if $(strip $(TARGETS)),,$(error Name test targets: make suite TARGETS="RadioCoreTests StorageTests"))
	$(foreach target,$(TARGETS),$(if $(wildcard Tests/$(target)/*.swift),,$(error There are no tests in Tests/$(target))))
	@scripts/setup build run test
	AIRCHECK_TESTS='$(TARGETS)' $(BUILD) --product aircheckPackageTests
ifneq (,$(filter EndToEndTests,$(TARGETS)))
	$(BUILD) --product aircheck
	$(BUILD) --product network-rig
endif
	AIRCHECK_TESTS='$(TARGETS)' $(TEST) $(WIDTH) 8

times: ## Print where the time of a build and of the suite goes, target by target; takes 20 minutes
	@scripts/setup build run test times
	@SWIFT='$(SWIFT)' scripts/times

check: lint ## Format, build with warnings as errors, and run every test: what a change must pass
	@scripts/setup build run test
	$(STRICT) $(COMPILE) --build-tests $(STRICT_PATH)
	$(STRICT_TEST) $(WIDTH) 12 --skip 'EndToEndTests|$(SOUND)'
	$(STRICT_TEST) $(WIDTH) 16 --filter '$(SOUND)'
	$(STRICT_TEST) $(WIDTH) 4 --filter '$(FLOODS)'
	$(STRICT_TEST) $(WIDTH) 20 --filter EndToEndTests --skip '$(FLOODS)'

lint: ## Check the format of all Swift files
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks

size: ## Count the lines of code of each target, and name the files that are so long that they may need splitting
	@scripts/size

bench: ## Print the figures that Aircheck promises, each beside its peer measured in the same run
	@scripts/setup build run test
	@$(BUILD) --product aircheck
	@$(BUILD) --product aircheck-bench
	@.build/release/aircheck-bench $(ARGS)

fuzz: ## Look for inputs that harm the parsers, SECONDS=60 for each target; TARGETS="ogg mpeg" names some
	@SWIFTC='$(SWIFT)c' scripts/fuzz $(SECONDS) $(TARGETS)

# Suites that start programs are left out: under the sanitizer, a child forked from a process with threads hangs.
tsan: ## Look for data races in playing, with real threads
	@scripts/setup build run test
	AIRCHECK_TESTS=PlaybackTests $(COMPILE) --product aircheckPackageTests --sanitize=thread --scratch-path .build-tsan
	AIRCHECK_TESTS=PlaybackTests $(SWIFT) test --disable-xctest --enable-swift-testing --sanitize=thread --scratch-path .build-tsan --skip-build --skip DriftTests

soak: ## Run the hazards that need minutes; ARGS names some of them, see docs/hazards.md
	@scripts/setup build run test soak
	@$(BUILD) --product aircheck
	@$(BUILD) --product network-rig
	@$(BUILD) --product aircheck-soak
	@.build/release/aircheck-soak $(ARGS)

# Apart from `make test`, because the packages of these players are many and large.
players: ## Have VLC, MPD, GStreamer and Chromium play the relay, and fail2ban read the log
	@scripts/setup build run test players
	$(BUILD) --product aircheckPackageTests
	$(BUILD) --product aircheck
	AIRCHECK_PLAYERS=1 $(TEST) $(WIDTH) 16 --filter 'RelayPlayerTests|Fail2banTests'

# Builds nothing: it mostly runs as root, whose path lacks Swift, and who should leave no files in this folder.
install: ## Install what `make build` has built below PREFIX (/usr/local), with completions and services for systemd
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install $(PROGRAM)

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
	rm -rf .build .build-check .build-fuzz .build-times .build-tsan
