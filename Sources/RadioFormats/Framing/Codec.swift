// SPDX-License-Identifier: MIT

/// The codecs that Aircheck frames and keeps.
package enum Codec: String, Hashable, Sendable, CaseIterable {
    case mp1, mp2, mp3
    /// LC, HE and HE v2 alike: see ``StreamFormat/SBR``.
    case aac
    case vorbis, opus, flac

    /// The default container.
    package var usualContainer: Container {
        switch self {
        case .mp1, .mp2, .mp3: .mpeg
        case .aac: .adts
        case .vorbis, .opus, .flac: .ogg
        }
    }

    /// The layer of MPEG audio; nil for any other codec.
    package var layer: Int? {
        switch self {
        case .mp1: 1
        case .mp2: 2
        case .mp3: 3
        case .aac, .vorbis, .opus, .flac: nil
        }
    }

    /// The name for people.
    package var words: String {
        switch self {
        case .mp1, .mp2, .mp3, .aac, .flac: rawValue.uppercased()
        case .vorbis: "Vorbis"
        case .opus: "Opus"
        }
    }
}
