// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Checks that apply to every framer and input, on the way that the program takes from bytes to parts: all bytes of
/// audio are accounted for, and the split into pieces has no effect.
enum PartChecks {
    static func complaint(about bytes: [UInt8], by framer: PartFramer) -> String? {
        let whole = Outcome(of: [bytes[...]], by: framer)
        let pieces = InputSplit.pieces(of: bytes)
        let split = Outcome(of: pieces, by: framer)
        if let complaint = whole.complaint ?? split.complaint { return complaint }
        if whole.content == .undecided { return "it ends undecided" }
        if !whole.isWrapped, whole.accounted != (whole.isAudio ? bytes.count : 0) {
            return "\(whole.accounted) of \(bytes.count) bytes are accounted for"
        }
        return whole == split ? nil : "cut into \(pieces.count) pieces it is another stream"
    }

    /// All frames in a complete body.
    static func frames(of bytes: [UInt8], by framer: PartFramer) -> [[UInt8]] {
        var (framer, frames) = (framer, [[UInt8]]())
        func take(_ output: PartFramer.Output) -> Bool {
            if case .frames(let batch, let bytes) = output { batch.forEach(in: bytes) { frames.append(Array($1)) } }
            return true
        }
        bytes.withUnsafeBytes { framer.push($0, take) }
        framer.finish(take)
        return frames
    }

    /// What must not depend on how the input is split.
    private struct Outcome: Equatable {
        private(set) var content = ContentGuess.undecided
        private(set) var isAudio = false
        private(set) var isWrapped = false
        private(set) var complaint: String?
        private var frames: [[Int]] = []
        private var skipped: [SkipReason: Int] = [:]
        private var formats: [StreamFormat] = []
        private var titles: [String] = []
        /// The places of breaks, with what is missing there.
        private var breaks: [[Int64?]] = []
        private var wrongChecksums: [Int] = []
        private(set) var accounted = 0

        init(of pieces: [ArraySlice<UInt8>], by framer: PartFramer) {
            var framer = framer
            for piece in pieces { piece.withUnsafeBytes { framer.push($0) { take($0) } } }
            framer.finish { take($0) }
            (content, isAudio, isWrapped) = (framer.content, framer.isRecognized, framer.isWrapped)
        }

        private mutating func take(_ output: PartFramer.Output) -> Bool {
            switch output {
            case .frames(let batch, let bytes): batch.forEach(in: bytes) { take($0, $1) }
            case .skipped(let count, let reason):
                if count <= 0 { complaint = "a skip of \(count) bytes" }
                if wrongChecksums.last == frames.count { complaint = "a wrong checksum of no frame" }
                skipped[reason, default: 0] += count
                accounted += count
            case .part(.format(let format)): formats.append(format)
            case .part(.title(let title, _, _)): titles.append(title)
            case .part(.resync): breaks.append([Int64(frames.count)])
            case .part(.missing(let samples)):
                if samples.map({ $0 <= 0 }) ?? false { complaint = "less than nothing is missing" }
                if frames.isEmpty { complaint = "something is missing before the first frame" }
                breaks.append([Int64(frames.count), samples])
            case .wrongChecksum: wrongChecksums.append(frames.count)
            }
            return true
        }

        private mutating func take(_ facts: FrameFacts, _ bytes: UnsafeRawBufferPointer) {
            accounted += bytes.count
            if formats.isEmpty { complaint = "a frame before any format" }
            if bytes.isEmpty { complaint = "a frame of no bytes" }
            if Int(facts.offset) < frames.last?.first ?? 0 { complaint = "frames out of order" }
            if facts.samples < 0 { complaint = "a frame that lasts less than nothing" }
            if wrongChecksums.last == frames.count, bytes.count < 2 || bytes[1] & 1 == 1 {
                complaint = "a wrong checksum where there is none"
            }
            frames.append([Int(facts.offset), bytes.count, facts.samples, facts.backReference])
        }
    }
}
