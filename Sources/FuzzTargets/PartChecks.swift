// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Checks of the way from bytes to parts: all bytes of audio are accounted for, and the split into pieces has no effect.
enum PartChecks {
    static func complaint(about bytes: [UInt8]) -> String? {
        let whole = Outcome(of: [bytes[...]])
        let pieces = InputSplit.pieces(of: bytes)
        if whole.content == .undecided { return "it ends undecided" }
        if whole.accounted != (whole.isAudio ? bytes.count : 0) { return "\(whole.accounted) bytes are accounted for" }
        return whole == Outcome(of: pieces) ? nil : "cut into \(pieces.count) pieces it is another stream"
    }

    private struct Outcome: Equatable {
        private(set) var content = ContentGuess.undecided
        private(set) var isAudio = false
        private(set) var accounted = 0
        private var frames: [Range<Int64>] = []
        private var parts: [String] = []

        init(of pieces: [ArraySlice<UInt8>]) {
            var framer = PartFramer(name: nil)
            for piece in pieces { piece.withUnsafeBytes { framer.push($0) { take($0) } } }
            framer.finish { take($0) }
            (content, isAudio) = (framer.content, framer.isRecognized)
        }

        private mutating func take(_ output: PartFramer.Output) -> Bool {
            switch output {
            case .frames(let batch, let bytes):
                accounted += bytes.count
                batch.forEach(in: bytes) { frames.append($0.offset..<$0.offset + Int64($1.count)) }
            case .part(let part): parts.append("\(frames.count) \(part)")
            case .skipped(let count, _): accounted += count
            case .wrongChecksum: parts.append("\(frames.count) wrong checksum")
            }
            return true
        }
    }
}
