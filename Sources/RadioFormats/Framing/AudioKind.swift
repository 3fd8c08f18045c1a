// SPDX-License-Identifier: MIT

/// What the audio of one connection to a player has in common. The decoders of browsers give up where it changes.
///
/// Narrower than a ``StreamFormat``: songs of one kind may have different header packets.
package struct AudioKind: Hashable, Sendable {
    package var codec: Codec
    package var container: Container
    package var sampleRate: Int
    package var channels: Int

    /// The kind's name for people, as in `MP3 (44.1 kHz, stereo)`.
    package var words: String {
        let (whole, rest) = (sampleRate / 1000, sampleRate % 1000)
        // Rates are multiples of 10 Hz, except for 11,025 and 22,050 Hz and their like, whose last digit tells nothing.
        let decimals = rest == 0 ? "" : rest % 100 == 0 ? ".\(rest / 100)" : ".\(rest / 100)\(rest / 10 % 10)"
        let parts =
            switch channels {
            case 1: "mono"
            case 2: "stereo"
            default: "\(channels) channels"
            }
        return "\(codec.words)\(container.words.map { " in \($0)" } ?? "") (\(whole)\(decimals) kHz, \(parts))"
    }
}

extension StreamFormat {
    package var kind: AudioKind {
        AudioKind(codec: codec, container: container, sampleRate: sampleRate, channels: channels)
    }
}
