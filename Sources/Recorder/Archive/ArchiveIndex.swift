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

    /// A frame of a file, and the byte at which it begins.
    struct Landmark: Hashable {
        var file: FileID
        var index: Int64
        var byte: Int64
    }

    private var stretches: [Stretch] = []
    /// Some frames of each file, in order. Ogg files have none.
    private var landmarks: [Landmark] = []

    /// The most stretches; beyond this number, the oldest stretches are forgotten. Each gap and each new file begins
    /// another stretch.
    private static let mostStretches = 1_024
    /// The fewest frames between landmarks. To find a frame, about this many frames are read.
    private static let landmarkSpacing: Int64 = 1_024
    /// The most landmarks, enough for a day and more; beyond this number, the oldest landmarks are forgotten.
    private static let mostLandmarks = 4_096

    /// Adds a chunk that is written to a file after `index` frames, at the offset `byte` if that is known.
    mutating func append(_ chunk: Chunk, to file: FileID, behind index: Int64, atByte byte: Int64? = nil) {
        if let byte { noteLandmark(Landmark(file: file, index: index, byte: byte)) }
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
        landmarks.removeAll { $0.file == file && $0.index > frames }
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

    private mutating func noteLandmark(_ next: Landmark) {
        let last = landmarks.last.flatMap { $0.file == next.file ? $0.index : nil } ?? 0
        guard next.index - last >= Self.landmarkSpacing else { return }
        if landmarks.count >= Self.mostLandmarks { landmarks.removeFirst() }
        landmarks.append(next)
    }

    /// The files with frames in the index.
    var files: Set<FileID> { Set(stretches.map(\.file)) }

    /// The last landmark at or before a frame of a file; nil if reading must begin at the file's start.
    func landmark(before index: Int64, in file: FileID) -> Landmark? {
        landmarks.last { $0.file == file && $0.index <= index }
    }

    /// The stretch that begins with this frame of the programme or, if the index lacks it, with the first later frame;
    /// nil if there is none.
    func stretch(from frame: Int64) -> Stretch? {
        // Stretches are in the order of their frame numbers.
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].end <= frame { low = middle + 1 } else { high = middle }
        }
        guard low < stretches.count else { return nil }
        let stretch = stretches[low]
        return frame > stretch.start.frames ? stretch.dropping(frame - stretch.start.frames) : stretch
    }
}

extension ArchiveIndex.Stretch {
    /// The same frames in a new file, which lacks the first `frames` frames of the old file.
    fileprivate func moved(to file: FileID, by frames: Int64) -> Self {
        Self(file: file, format: format, start: start, index: index - frames, count: count, samples: samples)
    }
}
