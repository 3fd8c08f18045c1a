// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats
package import Storage

/// Maps the frames of a programme to the files of a recording.
package struct ArchiveIndex {
    /// Consecutive frames of the programme that lie in one file.
    package struct Run {
        package let file: FileID
        package let format: StreamFormat
        /// The first frame's position in the programme.
        package var start: Position
        /// By how many samples the file's time is ahead of the programme's. Positions of hostile streams may wrap it.
        package private(set) var lead: Int64
        /// How often the frames of the complete file have changed.
        var revision = 0
        /// The first frame's index in the file.
        var index: Int64
        var count: Int64
        var samples: Int64

        var end: Int64 { start.frames + count }
        var state: FrameThread.FileState { .init(file, revision: revision) }

        /// The run without its first frames.
        func dropping(_ frames: Int64) -> Run {
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

        /// Moves the run within its file.
        fileprivate mutating func move(by frames: Int64, _ samples: Int64) {
            index += frames
            lead &+= samples
        }
    }

    private var runs: [Run] = []

    /// The most runs; beyond this number, the oldest runs are forgotten. Each gap and each new file begins another run.
    private static let mostRuns = 1_024

    /// Adds a chunk that is written to a file after `index` frames and `samples` samples.
    mutating func append(_ chunk: Chunk, to file: FileID, behind index: Int64, samples: Int64) {
        let count = Int64(chunk.frames.count)
        if let last = runs.last, last.file == file, last.end == chunk.position.frames,
            last.index + last.count == index
        {
            runs[runs.count - 1].count += count
            runs[runs.count - 1].samples = last.samples.addingSaturated(chunk.samples)
            return
        }
        if runs.count >= Self.mostRuns { runs.removeFirst() }
        runs.append(
            Run(
                file: file, format: chunk.format, start: chunk.position,
                lead: samples &- chunk.position.samples, index: index,
                count: count, samples: chunk.samples))
    }

    /// Ends a file. Later frames are in the file `rest`, or lost if `rest` is nil.
    mutating func cut(_ file: FileID, after facts: FileFacts, rest: FileID?) {
        let frames = facts.frames
        runs = runs.flatMap { run -> [Run] in
            guard run.file == file, run.index + run.count > frames else { return [run] }
            let kept = max(0, frames - run.index)
            var (before, after) = (run, run.dropping(kept))
            before.count = kept
            before.samples -= after.samples
            let moved = rest.map { after.moved(to: $0, by: facts) }
            return (kept > 0 ? [before] : []) + [moved].compactMap(\.self)
        }
    }

    /// Takes into account that frames were put into a complete file, before its frame `index`.
    mutating func put(_ frames: Int64, samples: Int64, before index: Int64, of file: FileID) {
        runs = runs.flatMap { run -> [Run] in
            guard run.file == file else { return [run] }
            let kept = min(max(0, index - run.index), run.count)
            var (before, after) = (run, run.dropping(kept))
            before.count = kept
            if after.count > 0 { before.samples -= after.samples }
            before.revision += 1
            after.revision += 1
            after.move(by: frames, samples)
            return [before, after].filter { $0.count > 0 }
        }
    }

    /// The files with frames in the index.
    var files: Set<FileID> { Set(runs.map(\.file)) }

    /// The run that begins with this frame of the programme or, if the index lacks it, with the first later frame; nil
    /// if there is none.
    func run(from frame: Int64) -> Run? {
        // The runs are in the order of their frames.
        let first = (0..<runs.count).firstByBisection { runs[$0].end > frame }
        guard first < runs.count else { return nil }
        let run = runs[first]
        return frame > run.start.frames ? run.dropping(frame - run.start.frames) : run
    }
}

extension ArchiveIndex.Run {
    /// The same frames in a new file, which lacks what the old file has.
    fileprivate func moved(to file: FileID, by facts: FileFacts) -> Self {
        Self(
            file: file, format: format, start: start, lead: lead &- facts.samples, index: index - facts.frames,
            count: count, samples: samples)
    }
}
