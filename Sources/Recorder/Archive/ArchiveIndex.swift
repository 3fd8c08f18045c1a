// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// Maps the frames of a programme to the files of a recording.
struct ArchiveIndex {
    /// Consecutive frames of the programme that lie in one file.
    struct Piece {
        let file: FileID
        let format: StreamFormat
        /// The first frame's position in the programme.
        var start: Position
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

    /// Adds a chunk that is written to a file after `index` frames.
    mutating func append(_ chunk: Chunk, to file: FileID, behind index: Int64) {
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
                file: file, format: chunk.format, start: chunk.position, index: index, count: count,
                samples: chunk.samples))
    }

    /// Ends a file after `frames` frames. Later frames are in the file `rest`, or lost if `rest` is nil.
    mutating func cut(_ file: FileID, after frames: Int64, rest: FileID?) {
        pieces = pieces.flatMap { piece -> [Piece] in
            guard piece.file == file, piece.index + piece.count > frames else { return [piece] }
            let kept = max(0, frames - piece.index)
            var (before, after) = (piece, piece.dropping(kept))
            before.count = kept
            before.samples -= after.samples
            let moved = rest.map { after.moved(to: $0, by: frames) }
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
    /// The same frames in a new file, which lacks the first `frames` frames of the old file.
    fileprivate func moved(to file: FileID, by frames: Int64) -> Self {
        Self(file: file, format: format, start: start, index: index - frames, count: count, samples: samples)
    }
}
