// SPDX-License-Identifier: MIT

extension StationOption<Duration> {
    /// How long the station may be silent, or stand still in one tone, until that is an event.
    package static let silence = Self(
        key: .optional(
            "silence", .duration, "\"30s\"",
            "How long the station may be silent, or stand still in one tone, unnoticed.")
    ) { $0.duration($1, in: .seconds(2) ... .seconds(86_400)) }
}
