// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import Stations

/// How to reach a station; shared by all commands that take an address.
struct StationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("User-Agent to send. Default: \(Version.userAgent)", valueName: "text"))
    var userAgent: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "An additional header to send. May be given several times.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Character encoding of titles that are not UTF-8, such as windows-1251 or iso-8859-2.", valueName: "name"),
        completion: .charsets)
    var charset: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File of certificates to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var caFile: String?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        if userAgent != nil { return "--user-agent" }
        if !header.isEmpty { return "--header" }
        if charset != nil { return "--charset" }
        return caFile == nil ? nil : "--ca-file"
    }

    /// The settings for one station: the addresses of its mirrors, and the user's name for it.
    func settings(_ urls: [String], name: String? = nil, giveUp: Duration?) throws(SettingFault) -> StationSettings {
        var settings = try StationSettings(
            parsing: urls, userAgent: userAgent ?? Version.userAgent, headers: header, charset: charset, caFile: caFile,
            giveUp: giveUp, seed: UInt64.random(in: .min ... .max))
        settings.name = name
        return settings
    }
}
