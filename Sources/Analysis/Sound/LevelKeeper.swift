// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
import RadioFormats
package import Storage

/// Finds out which windows of a programme are sound of which second of which file. A pure value.
///
/// The frames of a file may be known before or after their windows are: what comes first waits. Frames without windows
/// are unknown seconds.
package struct LevelKeeper {
    /// Further bytes of the levels that lie beside a file.
    package struct Piece: Equatable {
        package var file: FileID
        package var bytes: [UInt8]
    }

    /// Frames that follow each other in the programme and in a file.
    private struct Run {
        let file: FileID
        var frames: Range<Int64>
        let format: StreamFormat
        /// By how many samples the file's time is ahead of the programme's.
        let lead: Int64
    }

    private var runs: [Run] = []
    private var windows: [SoundWindow] = []
    /// The file to which the newest windows belong.
    private var newest: File?
    private var ready: [Piece] = []

    private struct File {
        let id: FileID
        var meter: LevelMeter
        /// The bytes that have not been returned.
        var bytes: [UInt8]
    }

    /// How many windows may wait for their frames: those of a minute and more, which a planner may hold back.
    private static let mostWindows = 4_096
    private static let mostRuns = 256
    /// How many bytes are given at once: those of five seconds of a pair of channels.
    private static let batch = 10

    package init() {}

    /// Adds a chunk that is written to a file behind `samples` samples.
    package mutating func append(_ chunk: Chunk, to file: FileID, behind samples: Int64) {
        let first = chunk.position.frames
        let frames = first..<first + Int64(chunk.frames.count)
        if let last = runs.last, last.file == file, last.frames.upperBound == first {
            return runs[runs.count - 1].frames = last.frames.lowerBound..<frames.upperBound
        }
        if runs.count == Self.mostRuns { runs.removeFirst() }
        let lead = samples.subtractingReportingOverflow(chunk.position.samples).partialValue
        runs.append(Run(file: file, frames: frames, format: chunk.format, lead: lead))
    }

    /// Forgets the frames of a file that could not be written.
    package mutating func forget(_ file: FileID) {
        runs.removeAll { $0.file == file }
        if newest?.id == file { newest = nil }
    }

    /// Adds windows, and returns what is to be written.
    package mutating func take(_ new: [SoundWindow]) -> [Piece] {
        windows += new
        var count = 0
        while count < windows.count, let run = runs.first {
            let window = windows[count]
            if window.frame >= run.frames.upperBound {
                guard runs.count > 1 else { break }
                runs.removeFirst()
                continue
            }
            if window.frame >= run.frames.lowerBound { take(window, of: run) }
            count += 1
        }
        windows.removeFirst(max(count, windows.count - Self.mostWindows))
        defer { ready = [] }
        return ready
    }

    /// Returns what has not been written yet.
    package mutating func finish() -> [Piece] {
        let pieces = take([])
        endFile()
        defer { ready = [] }
        return pieces + ready
    }

    private mutating func take(_ window: SoundWindow, of run: Run) {
        if newest?.id != run.file {
            endFile()
            let meter = LevelMeter(channels: run.format.channels)
            newest = File(id: run.file, meter: meter, bytes: meter.head())
        }
        let start = Duration.samples(window.instant.addingSaturated(run.lead), at: run.format.sampleRate)
        if let bytes = newest?.meter.take(window, at: start) { newest?.bytes += bytes }
        if let newest, newest.bytes.count >= Self.batch { giveBytes() }
    }

    private mutating func endFile() {
        if let bytes = newest?.meter.end() { newest?.bytes += bytes }
        giveBytes()
        newest = nil
    }

    private mutating func giveBytes() {
        guard let file = newest, !file.bytes.isEmpty else { return }
        ready.append(Piece(file: file.id, bytes: file.bytes))
        newest?.bytes = []
    }
}
