// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import Stations

/// How to receive a station in HLS; shared by all commands that take an address.
struct SegmentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "If the address is a list of variants (HLS): best, smallest or a bit rate such as 96k. Default: best",
            valueName: "variant"), completion: .list(["best", "smallest"]))
    var variant: String?

    @Option(
        name: .long,
        help: .value(
            "url",
            """
            A longer HLS list of the same programme, or its address at another Aircheck's relay, from which gaps of \
            recordings are filled. May be given several times.
            """
        ))
    var heal: [String] = []

    /// The first of these options that was given; nil if none was.
    var given: String? { Self.first(given: ["--variant": variant != nil, "--heal": !heal.isEmpty]) }

    func apply(to settings: inout StationSettings) throws(SettingFault) {
        if let variant { settings.variant = try StationSettings.variant(variant) }
        settings.healing = try StationSettings.healing(heal)
    }
}
