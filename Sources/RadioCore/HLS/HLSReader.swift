// SPDX-License-Identifier: MIT

package import RadioFormats

/// The way from the segments of a list to frames: takes the audio out of its container, frames it, and says when each
/// run of frames is presented. A value.
///
/// Frames may straddle segments, so one reader reads all segments that follow each other.
package struct HLSReader {
    package enum Output {
        /// Consecutive frames with fingerprints, and the bytes of all of them, which are valid during the call only.
        case frames(FrameBatch, UnsafeRawBufferPointer)
        /// Anything but a frame.
        case part(StreamPart)
        /// The next frame is presented at this time.
        case time(MediaTime)
        /// See ``PartFramer/Output/skipped(bytes:_:)``.
        case skipped(bytes: Int, SkipReason)
        case wrongChecksum
    }

    /// Nil while it passes its output on.
    private var demuxer: (any Demuxer)?
    private var framer: PartFramer?
    private var marker = FrameMarker()
    /// How much audio has come out of the demuxer, and how much of it had when the framer began.
    private var offset: Int64 = 0
    private var framerBegan: Int64 = 0
    /// The times of frames that have not come out of the framer, each with the place at which the frame begins at the
    /// earliest.
    private var times: [(place: Int64, time: MediaTime)] = []

    /// No segment has so many runs of frames whose frames wait.
    private static let mostTimes = 4_096

    package init(_ demuxer: any Demuxer) {
        self.demuxer = demuxer
    }
}

extension HLSReader {
    /// Reads a whole segment, or the section that comes before the first one. Throws if the segments cannot be read at
    /// all; then no further call is allowed.
    package mutating func read(_ bytes: [UInt8], _ take: (Output) -> Void) throws(DemuxProblem) {
        guard var demuxer = demuxer.take() else { return }
        demuxer.segmentBegins()
        var problem: DemuxProblem?
        bytes.withUnsafeBytes { bytes in
            do throws(DemuxProblem) {
                try demuxer.push(bytes) { pass($0, take) }
                try demuxer.segmentEnds { pass($0, take) }
            } catch {
                problem = error
            }
        }
        if let problem {
            finish(take)
            throw problem
        }
        self.demuxer = demuxer
        // The next segment begins where this one ends, so a whole frame need not wait for it.
        run(.release, take)
    }

    /// Forgets what was read of a frame: the next segment does not follow the last one.
    package mutating func restart(_ take: (Output) -> Void) {
        demuxer?.restart()
        finish(take)
        times = []
    }

    private mutating func pass(_ demuxed: Demuxed, _ take: (Output) -> Void) {
        switch demuxed {
        case .container(let container):
            finish(take)
            (framer, framerBegan) = (PartFramer(container), offset)
        case .audio(let bytes):
            offset += Int64(bytes.count)
            run(.push(bytes), take)
        case .time(let time):
            if times.last?.place == offset { times.removeLast() }
            if times.count < Self.mostTimes { times.append((offset, time)) }
        case .tag(let bytes):
            guard let tag = SegmentTag(bytes), let title = tag.title else { break }
            take(.part(.title(title, raw: Array(title.utf8), url: tag.pictureAddress)))
        case .lost:
            finish(take)
            times = []
            take(.part(.resync))
        }
    }

    /// Ends the run of frames: gives the last one if it is whole, and begins anew behind it.
    private mutating func finish(_ take: (Output) -> Void) {
        guard case .audio(let container) = framer?.content else { return }
        run(.finish, take)
        (framer, framerBegan) = (PartFramer(container), offset)
    }

    private enum Step {
        case push(UnsafeRawBufferPointer)
        case release, finish
    }

    private mutating func run(_ step: Step, _ take: (Output) -> Void) {
        guard var framer = framer.take() else { return }
        func pass(_ output: PartFramer.Output) -> Bool {
            switch output {
            case .frames(let batch, let bytes): self.pass(batch, bytes, take)
            case .part(let part):
                if case .format(let format) = part { marker.begin(format) }
                take(.part(part))
            case .skipped(let bytes, let reason): take(.skipped(bytes: bytes, reason))
            case .wrongChecksum: take(.wrongChecksum)
            }
            return true
        }
        switch step {
        case .push(let bytes): framer.push(bytes, pass)
        case .release: framer.releaseHeld(pass)
        case .finish: framer.finish(pass)
        }
        self.framer = framer
    }

    /// Passes frames, each with the time before it that is stated for it.
    private mutating func pass(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer, _ take: (Output) -> Void) {
        var batch = batch
        marker.mark(&batch, bytes)
        var runs: [(start: Int, time: MediaTime?)] = [(0, nil)]
        for index in 0..<batch.count {
            let place = framerBegan + batch[index].offset
            let due = times.prefix { $0.place <= place }
            guard let time = due.last?.time else { continue }
            times.removeFirst(due.count)
            runs.append((index, time))
        }
        for (number, run) in runs.enumerated() {
            if let time = run.time { take(.time(time)) }
            let frames = run.start..<(number + 1 < runs.count ? runs[number + 1].start : batch.count)
            guard !frames.isEmpty else { continue }
            take(.frames(batch[frames], UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: frames)])))
        }
    }
}
