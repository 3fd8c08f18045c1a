// SPDX-License-Identifier: MIT

import ArgumentParser
import Words

/// How much is said on standard error; shared by all commands that report what happens.
struct DetailOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Print only errors and what you must act on, and no live line: for cron and other programs.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Print more: every attempt to connect, the address and answer of each server, redirects.")
    var verbose = false

    /// The detail that the options select.
    var detail: Detail { quiet ? .needed : verbose ? .full : .usual }

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other: give one.") }
    }
}
