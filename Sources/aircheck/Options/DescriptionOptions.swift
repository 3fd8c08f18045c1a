// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Relay

/// What players are told about the programme, instead of what the station says of itself.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What to call the programme.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Its genre.", valueName: "text"))
    var genre: String?

    @Option(help: ArgumentHelp("A line about it.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("Its home page.", valueName: "url"))
    var homepage: String?

    @Option(
        help: ArgumentHelp("Its bit rate.", valueName: "kbit/s"), transform: CountArgument.parse)
    var bitRate: Int?

    @Option(
        help: ArgumentHelp("Its sample rate.", valueName: "hertz"), transform: CountArgument.parse)
    var sampleRate: Int?

    @Flag(inversion: .prefixedNo, help: "Whether directories may list it.")
    var `public`: Bool?

    func apply(to job: inout RelayJob) {
        job.mount.fields.name = name
        job.mount.fields.genre = genre
        job.mount.fields.description = description
        job.mount.fields.homepage = homepage
        job.mount.fields.bitRate = bitRate
        job.mount.fields.sampleRate = sampleRate
        job.mount.fields.isPublic = `public`
    }
}
