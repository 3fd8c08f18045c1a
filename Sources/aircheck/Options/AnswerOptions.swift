// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioFormats

/// How a command gets and prints the answer of a daemon.
struct AnswerOptions: ParsableArguments {
    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var daemon: DaemonOptions

    var client: ControlClient { daemon.client }

    /// Prints an answer: as it is, or as these lines.
    func show(_ answer: JSONValue, _ lines: (JSONValue) -> [String]) {
        if json { return Console.put(json: answer) }
        for line in lines(answer) { Console.put(line) }
    }
}
