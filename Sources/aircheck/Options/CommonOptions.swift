// SPDX-License-Identifier: MIT

import ArgumentParser

/// How to name the files; for commands whose `--name` has no other meaning.
struct NamingOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            How to name the files: %Y %m %d %H %M %S %z and so on, {station} {title} {artist} {song} {sequence}; a / \
            makes folders. The format's extension is added if it is missing; another one, such as .aac for an MP3 \
            station, stays in front of it. Default: {station} %Y-%m-%d %H-%M-%S%z; with --segment title \
            {station}/{song}, which is 'Artist - Title', with '(incomplete)' after it unless the whole song was recorded
            """, valueName: "template"))
    var name: String?
}

/// When to give up and whether to print a report; shared by commands that run until stopped.
struct EndingOptions: ParsableArguments {
    @Option(
        help: .value("time", "Give up when no audio has arrived after this time. Default: 60s"),
        transform: ArgumentValue.duration)
    var giveUp: DurationArgument?

    @Flag(help: "Print a report as one JSON object at the end.")
    var json = false
}
