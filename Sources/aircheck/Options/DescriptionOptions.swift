// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Relay

/// The description of the programme for players; overrides the station's own.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Genre of the programme.", valueName: "text"))
    var genre: String?

    @Option(help: ArgumentHelp("One line about the programme.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("Home page of the programme.", valueName: "url"))
    var homepage: String?

    @Option(help: .value("kbit/s", "Bit rate reported to players."), transform: ArgumentValue.count)
    var bitRate: Int?

    @Option(help: .value("hertz", "Sample rate reported to players."), transform: ArgumentValue.count)
    var sampleRate: Int?

    @Flag(inversion: .prefixedNo, help: "Whether station directories may list the programme.")
    var `public`: Bool?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: [
            "--genre": genre != nil, "--description": description != nil, "--homepage": homepage != nil,
            "--bit-rate": bitRate != nil, "--sample-rate": sampleRate != nil, "--public": `public` != nil,
        ])
    }

    func apply(to spec: inout MountSpec) {
        spec.settings.fields.genre = genre
        spec.settings.fields.description = description
        spec.settings.fields.homepage = homepage
        spec.settings.fields.bitRate = bitRate
        spec.settings.fields.sampleRate = sampleRate
        spec.settings.fields.isPublic = `public`
    }
}
