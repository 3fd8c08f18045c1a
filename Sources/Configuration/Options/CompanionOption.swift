// SPDX-License-Identifier: MIT

package import RadioCore

extension Companion {
    /// The key of a station by which its recordings have the companion; nil if all recordings of stations have it.
    package var option: StationOption<Bool>? {
        switch self {
        case .sidecar, .found, .index: nil
        case .levels: option("Whether recordings have the loudness of each second beside them.")
        }
    }

    /// The value is true or nil.
    private func option(_ meaning: String) -> StationOption<Bool> {
        StationOption(key: .standard(rawValue, .flag, "false", meaning)) { $0.flag($1) == true ? true : nil }
    }
}

extension StationConfiguration {
    /// The companions that the station's recordings have beside those of all recordings.
    package var companions: Set<Companion> {
        Set(Companion.allCases.filter { $0.option.map { options[$0] == true } ?? false })
    }
}
