// SPDX-License-Identifier: MIT

import RadioFormats

/// Checks that apply to every framer and input: all bytes are accounted for, and the split into pieces has no effect.
enum FramerChecks {
    static func complaint(about bytes: [UInt8], by makeFramer: () -> some Framer) -> String? {
        let whole = Outcome(of: [bytes[...]], by: makeFramer())
        let pieces = InputSplit.pieces(of: bytes)
        let split = Outcome(of: pieces, by: makeFramer())
        if let complaint = whole.complaint ?? split.complaint { return complaint }
        if whole.accounted != bytes.count { return "\(whole.accounted) of \(bytes.count) bytes are accounted for" }
        if whole != split { return "cut into \(pieces.count) pieces it is another stream" }
        return nil
    }

    /// The part of a framer's events that must not depend on how the input is split.
    private struct Outcome: Equatable {
        private(set) var frames: [Frame] = []
        private(set) var skipped: [SkipReason: Int] = [:]
        private var formats: [StreamFormat] = []
        private var titles: [String] = []
        private var discontinuities: [Int] = []
        private var missing: [Int64?] = []
        private var wrongChecksums: [Int] = []
        private(set) var accounted = 0
        private(set) var complaint: String?

        init<F: Framer>(of pieces: [ArraySlice<UInt8>], by framer: F) {
            var framer = framer
            for piece in pieces {
                piece.withUnsafeBytes { framer.append($0) }
                drain(&framer)
                if piece.count % 2 == 0 { framer.compact() }
            }
            framer.finish()
            drain(&framer)
        }

        private mutating func drain(_ framer: inout some Framer) {
            while let event = framer.next() {
                switch event {
                case .frame(var frame):
                    framer.withBytes(of: frame) { take(frame, $0) }
                    frame.range = 0..<frame.range.count
                    frames.append(frame)
                case .skipped(let count, let reason):
                    if count <= 0 { complaint = "a skip of \(count) bytes" }
                    if wrongChecksums.last == frames.count { complaint = "a wrong checksum of no frame" }
                    skipped[reason, default: 0] += count
                    accounted += count
                case .format(let format): formats.append(format)
                case .title(let title): titles.append(title)
                case .discontinuity: discontinuities.append(frames.count)
                case .missing(let samples):
                    if samples.map({ $0 <= 0 }) ?? false { complaint = "less than nothing is missing" }
                    if frames.isEmpty { complaint = "something is missing before the first frame" }
                    discontinuities.append(frames.count)
                    missing.append(samples)
                case .wrongChecksum: wrongChecksums.append(frames.count)
                }
            }
        }

        private mutating func take(_ frame: Frame, _ bytes: UnsafeRawBufferPointer) {
            let count = bytes.count
            accounted += count
            if formats.isEmpty { complaint = "a frame before any format" }
            if count != frame.range.count || count == 0 { complaint = "a frame of \(count) bytes" }
            if frame.offset < frames.last?.offset ?? 0 { complaint = "frames out of order" }
            if frame.samples < 0 { complaint = "a frame that lasts less than nothing" }
            if wrongChecksums.last == frames.count, count < 2 || bytes[1] & 1 == 1 {
                complaint = "a wrong checksum where there is none"
            }
        }
    }
}
