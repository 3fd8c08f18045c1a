// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats
package import Storage

/// Maps the frames of a programme to the files of a recording.
package struct ArchiveIndex {
    /// Consecutive frames of the programme that lie in one file.
    package struct Piece {
        package let file: FileID
        package let format: StreamFormat
        /// The first frame's position in the programme.
        package var start: Position
        /// By how many samples the file's time is ahead of the programme's. Positions of hostile streams may wrap it.
        package let lead: Int64
        /// The first frame's index in the file.
        var index: Int64
        var count: Int64
        var samples: Int64

        var end: Int64 { start.frames + count }

        /// The piece without its first frames.
        func dropping(_ frames: Int64) -> Piece {
            guard frames > 0, count > 0 else { return self }
            var rest = self
            // Frames of one format have nearly the same length, so the samples are spread evenly over the frames.
            let samples = Int64(Double(samples) * Double(frames) / Double(count))
            rest.start.frames += frames
            rest.start.samples = start.samples.addingSaturated(samples)
            rest.index += frames
            rest.count -= frames
            rest.samples -= samples
            return rest
        }
    }

    private var pieces: [Piece] = []

    /// The most pieces; beyond this number, the oldest pieces are forgotten. Each gap and each new file begins
    /// another piece.
    private static let mostPieces = 1_024

    /// Adds a chunk that is written to a file after `index` frames and `samples` samples.
    mutating func append(_ chunk: Chunk, to file: FileID, behind index: Int64, samples: Int64) {
        let count = Int64(chunk.frames.count)
        if let last = pieces.last, last.file == file, last.end == chunk.position.frames,
            last.index + last.count == index
        {
            pieces[pieces.count - 1].count += count
            pieces[pieces.count - 1].samples = last.samples.addingSaturated(chunk.samples)
            return
        }
        if pieces.count >= Self.mostPieces { pieces.removeFirst() }
        pieces.append(
            Piece(
                file: file, format: chunk.format, start: chunk.position,
                lead: samples &- chunk.position.samples, index: index,
                count: count, samples: chunk.samples))
    }

    /// Ends a file. Later frames are in the file `rest`, or lost if `rest` is nil.
    mutating func cut(_ file: FileID, after facts: FileFacts, rest: FileID?) {
        let frames = facts.frames
        pieces = pieces.flatMap { piece -> [Piece] in
            guard piece.file == file, piece.index + piece.count > frames else { return [piece] }
            let kept = max(0, frames - piece.index)
            var (before, after) = (piece, piece.dropping(kept))
            before.count = kept
            before.samples -= after.samples
            let moved = rest.map { after.moved(to: $0, by: facts) }
            return (kept > 0 ? [before] : []) + [moved].compactMap(\.self)
        }
    }

    /// The files with frames in the index.
    var files: Set<FileID> { Set(pieces.map(\.file)) }

    /// The piece that begins with this frame of the programme or, if the index lacks it, with the first later frame;
    /// nil if there is none.
    func piece(from frame: Int64) -> Piece? {
        // Pieces are in the order of their frame numbers.
        let first = (0..<pieces.count).firstByBisection { pieces[$0].end > frame }
        guard first < pieces.count else { return nil }
        let piece = pieces[first]
        return frame > piece.start.frames ? piece.dropping(frame - piece.start.frames) : piece
    }
}

extension ArchiveIndex.Piece {
    /// The same frames in a new file, which lacks what the old file has.
    fileprivate func moved(to file: FileID, by facts: FileFacts) -> Self {
        Self(
            file: file, format: format, start: start, lead: lead &- facts.samples, index: index - facts.frames,
            count: count, samples: samples)
    }
}
