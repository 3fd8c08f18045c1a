// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore

/// What `relay` serves: the addresses of a station, or files on this machine.
struct RelaySource: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The station's address, and its mirrors; or a file, a folder or a playlist of files, or - for standard input.
            """, valueName: "source"), completion: .file())
    var sources: [String]

    @Flag(help: "Play the files in a new random order each time round.")
    var shuffle = false

    @Flag(help: "Play the files once instead of for ever.")
    var once = false

    /// The programme to relay. `station` makes a station's settings from its addresses; `ahead` is how much audio of
    /// files is ready for the first listener.
    func spec(ahead: Duration, station: ProgrammeSpec.StationParser) throws(SettingFault) -> ProgrammeSpec {
        try ProgrammeSpec(
            parsing: sources.map(SourceText.completed), shuffle: shuffle, once: once,
            seed: UInt64.random(in: .min ... .max), ahead: ahead,
            station: station)
    }
}
