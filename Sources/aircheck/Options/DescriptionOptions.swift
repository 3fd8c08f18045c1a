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

    @Option(
        help: ArgumentHelp("Bit rate reported to players.", valueName: "kbit/s"), transform: CountArgument.parse)
    var bitRate: Int?

    @Option(
        help: ArgumentHelp("Sample rate reported to players.", valueName: "hertz"), transform: CountArgument.parse)
    var sampleRate: Int?

    @Flag(inversion: .prefixedNo, help: "Whether station directories may list the programme.")
    var `public`: Bool?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        let texts = [("--genre", genre), ("--description", description), ("--homepage", homepage)]
        if let text = texts.first(where: { $0.1 != nil }) { return text.0 }
        if bitRate != nil { return "--bit-rate" }
        if sampleRate != nil { return "--sample-rate" }
        return `public` == nil ? nil : "--public"
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
