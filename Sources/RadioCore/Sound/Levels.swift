// SPDX-License-Identifier: MIT

/// The loudness of each second of a recorded file: the content of the companion that lies beside the audio.
///
/// The companion is a head of 16 bytes (`aclevels`, the version 1, the number of channel pairs, zeros), and then for
/// each second of the file's audio two bytes for each pair of channels: RMS and peak, in half decibels below full
/// scale. It may end anywhere: it grows with the audio.
package struct Levels: Hashable, Sendable {
    /// The RMS and the peak of a pair of channels in one second, in half decibels below full scale.
    package struct Entry: Hashable, Sendable {
        package var rms: UInt8
        package var peak: UInt8

        package init(rms: UInt8, peak: UInt8) {
            (self.rms, self.peak) = (rms, peak)
        }

        /// A second whose audio could not be decoded.
        package static let unknown = Entry(rms: 255, peak: 255)
        package var isKnown: Bool { rms != 255 }

        /// Rounds a value, of which 1 is full scale. Anything quieter than -127 dB is silence.
        package static func halfDecibels(_ value: Float) -> UInt8 {
            guard value > 4.5e-7 else { return silence }
            return UInt8(max(0, min(Double(silence), (-2 * Loudness.Channel.decibels(value)).rounded())))
        }

        private static let silence: UInt8 = 254
    }

    /// The pairs of channels of the audio; the last pair may be one channel.
    package let pairs: Int
    /// The entries of the first second, then those of the second, and so on.
    package private(set) var entries: [Entry] = []

    /// The largest number of pairs: FLAC and Vorbis have up to eight channels, and Opus has 255 at most.
    private static let mostPairs = 128
    private static let mark = Array("aclevels".utf8)
    private static let headSize = 16
    private static let version: UInt8 = 1

    package init(channels: Int) {
        pairs = max(1, min(Self.mostPairs, (channels + 1) / 2))
    }

    package var seconds: Int { entries.count / pairs }

    /// The entries of all pairs in one second; all unknown beyond the end.
    package subscript(second: Int) -> ArraySlice<Entry> {
        guard 0..<seconds ~= second else { return Array(repeating: .unknown, count: pairs)[...] }
        return entries[second * pairs..<(second + 1) * pairs]
    }

    package mutating func append(_ second: [Entry]) {
        entries += (0..<pairs).map { second.indices.contains($0) ? second[$0] : .unknown }
    }

    // MARK: - Bytes

    package var head: [UInt8] {
        let head = Self.mark + [Self.version, UInt8(pairs)]
        return head + Array(repeating: 0, count: Self.headSize - head.count)
    }

    /// The bytes of entries, without a head.
    package static func bytes(of entries: some Sequence<Entry>) -> [UInt8] { entries.flatMap { [$0.rms, $0.peak] } }

    /// Reads a companion; nil if it has another head. A second that is cut off is left out.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headSize, bytes.starts(with: Self.mark), bytes[8] == Self.version,
            case let pairs = Int(bytes[9]), 1...Self.mostPairs ~= pairs
        else { return nil }
        self.pairs = pairs
        let whole = (bytes.count - Self.headSize) / (2 * pairs) * pairs
        entries = (0..<whole).map { index in
            let offset = Self.headSize + 2 * index
            return Entry(rms: bytes[offset], peak: bytes[offset + 1])
        }
    }
}
