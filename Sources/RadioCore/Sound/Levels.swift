// SPDX-License-Identifier: MIT

/// The loudness of each second of a recorded file: the content of the companion that lies beside the audio.
///
/// The companion is a head of 16 bytes (`aclevels`, the version 1, the number of channel pairs, 1 if the levels were
/// made from a finished file, zeros), and then for each second of the file's audio two bytes for each pair of channels:
/// RMS and peak. A byte of 0 is unknown, so that a hole in the file is; 1 is full scale, and each step is half a
/// decibel less. The companion may end anywhere: it grows with the audio.
///
/// Seconds count from the first frame, as places in the sidecar do. A player leaves out the first 80 ms of an Opus file
/// that begins in the middle of a stream (its pre-skip), so its seconds begin that much later.
package struct Levels: Hashable, Sendable {
    /// The RMS and the peak of a pair of channels in one second.
    package struct Entry: Hashable, Sendable {
        private var rms: UInt8
        private var peak: UInt8

        fileprivate init(bytes: (UInt8, UInt8)) { (rms, peak) = bytes }

        /// Of values of which 1 is full scale.
        package init(rms: Float, peak: Float) {
            (self.rms, self.peak) = (Self.byte(rms), Self.byte(peak))
        }

        /// A second whose audio could not be decoded.
        package static let unknown = Entry(bytes: (0, 0))

        /// In decibels relative to full scale, rounded to half a decibel; nil if unknown, and ``silence`` for anything
        /// as quiet.
        package var decibels: (rms: Double, peak: Double)? {
            rms == 0 ? nil : (Double(1 - Int(rms)) / 2, Double(1 - Int(peak)) / 2)
        }

        package var bytes: [UInt8] { [rms, peak] }

        package static let silence = -100.0

        private static func byte(_ value: Float) -> UInt8 {
            UInt8(1 + max(0, min(-2 * silence, (-2 * Loudness.Channel.decibels(value)).rounded())))
        }
    }

    /// The pairs of channels of the audio; the last pair may be one channel.
    package let pairs: Int
    /// The entries of the first second, then those of the second, and so on.
    package private(set) var entries: [Entry] = []

    /// Whether they were made from a finished file, so that what is unknown stays so.
    private let areFinal: Bool

    private static let mostPairs = 255
    private static let mark = Companion.levels.mark
    private static let headSize = 16
    private static let version: UInt8 = 1
    /// The most seconds that one pair of channels can have: those of three months.
    package static let mostSeconds = Int(Companion.levels.maximumLength) / 2

    package static func pairs(ofChannels channels: Int) -> Int { max(1, min(mostPairs, (channels + 1) / 2)) }

    package var seconds: Int { entries.count / pairs }

    /// The entries of all pairs in one second; all unknown beyond the end.
    package subscript(second: Int) -> ArraySlice<Entry> {
        guard 0..<seconds ~= second else { return Array(repeating: .unknown, count: pairs)[...] }
        return entries[second * pairs..<(second + 1) * pairs]
    }

    /// Leaves the first seconds alone, and adds unknown ones up to their number.
    package mutating func resize(to seconds: Int) {
        let count = min(max(0, seconds), Self.mostSeconds / pairs) * pairs
        entries.removeLast(max(0, entries.count - count))
        entries += Array(repeating: .unknown, count: count - entries.count)
    }

    /// Whether nothing more can be known of a finished file with this many seconds. The last two may be missing: there
    /// may be hardly any sound in them.
    package func areWhole(for seconds: Int) -> Bool {
        self.seconds + 2 >= seconds && (areFinal || entries.allSatisfy { $0 != .unknown })
    }

    // MARK: - Bytes

    package static func head(pairs: Int, areFinal: Bool = false) -> [UInt8] {
        let head = mark + [version, UInt8(pairs), areFinal ? 1 : 0]
        return head + Array(repeating: 0, count: headSize - head.count)
    }

    /// Reads a companion; nil if it has another head. A second that is cut off is left out.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headSize, bytes.starts(with: Self.mark), bytes[8] == Self.version, bytes[9] > 0
        else { return nil }
        (pairs, areFinal) = (Int(bytes[9]), bytes[10] == 1)
        let whole = (bytes.count - Self.headSize) / (2 * pairs) * pairs
        entries = (0..<whole).map { index in
            let offset = Self.headSize + 2 * index
            return Entry(bytes: (bytes[offset], bytes[offset + 1]))
        }
    }
}
