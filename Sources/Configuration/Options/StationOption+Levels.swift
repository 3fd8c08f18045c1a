// SPDX-License-Identifier: MIT

extension StationOption<Bool> {
    /// Whether the loudness of each second lies beside the audio of recordings; true or nil.
    package static let levels = Self(
        key: .standard("levels", .flag, "false", "Whether recordings have the loudness of each second beside them.")
    ) { $0.flag($1) == true ? true : nil }
}
