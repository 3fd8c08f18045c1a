// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// Maps the frames of a programme to the files of a recording.
struct ArchiveIndex {
    /// Consecutive frames of the programme that lie in one file.
    struct Stretch {
        let file: FileID
        let format: StreamFormat
        /// The first frame's position in the programme.
        var start: Position
        /// The first frame's index in the file.
        var index: Int64
        var count: Int64
        var samples: Int64

        var end: Int64 { start.frames + count }

        /// The stretch without its first frames.
        func dropping(_ frames: Int64) -> Stretch {
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

    private var stretches: [Stretch] = []

    /// The most stretches; beyond this number, the oldest stretches are forgotten. Each gap and each new file begins
    /// another stretch.
    private static let mostStretches = 1_024

    /// Adds a chunk that is written to a file after `index` frames.
    mutating func append(_ chunk: Chunk, to file: FileID, behind index: Int64) {
        let count = Int64(chunk.frames.count)
        if let last = stretches.last, last.file == file, last.end == chunk.position.frames,
            last.index + last.count == index
        {
            stretches[stretches.count - 1].count += count
            stretches[stretches.count - 1].samples = last.samples.addingSaturated(chunk.samples)
            return
        }
        if stretches.count >= Self.mostStretches { stretches.removeFirst() }
        stretches.append(
            Stretch(
                file: file, format: chunk.format, start: chunk.position, index: index, count: count,
                samples: chunk.samples))
    }

    /// Ends a file after `frames` frames. Later frames are in the file `rest`, or lost if `rest` is nil.
    mutating func cut(_ file: FileID, after frames: Int64, rest: FileID?) {
        stretches = stretches.flatMap { stretch -> [Stretch] in
            guard stretch.file == file, stretch.index + stretch.count > frames else { return [stretch] }
            let kept = max(0, frames - stretch.index)
            var (before, after) = (stretch, stretch.dropping(kept))
            before.count = kept
            before.samples -= after.samples
            let moved = rest.map { after.moved(to: $0, by: frames) }
            return (kept > 0 ? [before] : []) + [moved].compactMap(\.self)
        }
    }

    /// The files with frames in the index.
    var files: Set<FileID> { Set(stretches.map(\.file)) }

    /// The stretch that begins with this frame of the programme or, if the index lacks it, with the first later frame;
    /// nil if there is none.
    func stretch(from frame: Int64) -> Stretch? {
        // Stretches are in the order of their frame numbers.
        let first = (0..<stretches.count).firstByBisection { stretches[$0].end > frame }
        guard first < stretches.count else { return nil }
        let stretch = stretches[first]
        return frame > stretch.start.frames ? stretch.dropping(frame - stretch.start.frames) : stretch
    }
}

extension ArchiveIndex.Stretch {
    /// The same frames in a new file, which lacks the first `frames` frames of the old file.
    fileprivate func moved(to file: FileID, by frames: Int64) -> Self {
        Self(file: file, format: format, start: start, index: index - frames, count: count, samples: samples)
    }
}
