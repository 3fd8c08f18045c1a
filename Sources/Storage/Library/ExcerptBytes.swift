// SPDX-License-Identifier: MIT

/// The bytes of an excerpt of MPEG audio, ADTS or FLAC: ranges of its files, which hold nothing but frames, and what
/// must precede them.
package struct ExcerptBytes: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// Bytes of the file of a part. `part`: its number in the excerpt, from 0.
        case file(part: Int, Range<Int64>)
    }

    package internal(set) var pieces: [Piece] = []
    /// The totals of the frames.
    package internal(set) var totals = RecordingExporter.Exported()

    /// The length in bytes.
    package var count: Int64 {
        pieces.reduce(0) { sum, piece in
            switch piece {
            case .bytes(let bytes): sum + Int64(bytes.count)
            case .file(_, let range): sum + range.upperBound - range.lowerBound
            }
        }
    }

    /// Adds bytes of a file, which may follow those before them.
    mutating func append(_ range: Range<Int64>, of part: Int) {
        if case .file(part, let last)? = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .file(part: part, last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.file(part: part, range))
        }
    }
}
