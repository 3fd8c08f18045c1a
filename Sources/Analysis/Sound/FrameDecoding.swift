// SPDX-License-Identifier: MIT

import Decoding
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// Decodes the frames of one tap into windows, and reports these. Used by one thread.
final class FrameDecoding {
    private let makeDecoder: DecodingThread.Maker
    private let tell: (DecodingThread.Findings) -> Void
    private var format: StreamFormat?
    private var decoder: (any Decoding)?
    /// When the newest decoder was begun, in the time of ``TappedFrames/start``, and the least time until another one
    /// takes its place if it fails.
    private var begun = Duration.zero
    private var pause = FrameDecoding.leastPause
    private var meter: WindowMeter?
    /// The frames whose windows are not complete, oldest first.
    private var places: [Place] = []
    private var findings = DecodingThread.Findings()
    /// What the decoder has not taken whole, because it is full, and how far it has taken the first run.
    private var waiting: [Step] = []
    private var cursor: Cursor?
    /// Until when to wait for the rest of a decoder that was told the end; nil if there is none.
    private var deadline: MonotonicInstant?

    private enum Step {
        case run(TappedFrames)
        case end(patience: Duration)
    }

    private struct Cursor {
        var index = 0
        var offset = 0
        var instant: Int64
        var start: Duration
    }

    private struct Place {
        var number: Int64
        var instants: Range<Int64>
        var start: Duration
    }

    /// How many frames a decoder may hold without giving PCM.
    private static let mostPlaces = 2_048
    /// How often in a row, and for how many milliseconds, a decoder in a child process is waited for.
    private static let mostLooks = 200
    private static let lookPause: CInt = 50
    private static let longPatience = Duration.seconds(10)
    /// The pause doubles each time, up to the longest, and is short again for a decoder that fails later than that.
    private static let (leastPause, longestPause) = (Duration.seconds(5), Duration.seconds(60))

    init(_ makeDecoder: @escaping DecodingThread.Maker, tell: @escaping (DecodingThread.Findings) -> Void) {
        self.makeDecoder = makeDecoder
        self.tell = tell
    }

    /// Whether the decoder may give more PCM without another frame.
    var isAwaiting: Bool { decoder?.descriptor != nil && !places.isEmpty }

    /// Whether frames or an end wait for the decoder: one in a child process goes on once its output is read.
    var isFull: Bool { !waiting.isEmpty }

    /// Reports what has been found since the last report.
    func report() {
        drain()
        advance()
        guard findings.bytes > 0 || !findings.windows.isEmpty || findings.isEnd else { return }
        tell(findings)
        findings.windows.removeAll(keepingCapacity: true)
        (findings.bytes, findings.isEnd) = (0, false)
    }

    func put(_ frames: TappedFrames) {
        waiting.append(.run(frames))
        advance()
    }

    /// Has the decoder give what it still holds, which takes `patience` at most. The last report of that says so.
    /// Frames that follow begin a new run.
    func end(within patience: Duration) {
        waiting.append(.end(patience: patience))
        advance()
    }

    /// Reports what the decoder still holds. Call it after the last frame of a file. Waits for that.
    func finish() {
        end(within: Self.longPatience)
        settle()
        report()
    }

    /// Waits until the decoder has taken all frames. One in a child process may hang.
    func settle() {
        var looks = 0
        while !waiting.isEmpty, looks < Self.mostLooks, let descriptor = decoder?.descriptor {
            var output = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            looks = poll(&output, 1, Self.lookPause) > 0 ? 0 : looks + 1
            drain()
            advance()
        }
    }

    /// Has the decoder take as many of the waiting frames as it can.
    private func advance() {
        while let step = waiting.first {
            let isDone =
                switch step {
                case .run(let run): take(run)
                case .end(let patience): end(within: patience, since: .read())
                }
            guard isDone else { return }
            waiting.removeFirst()
        }
    }

    /// Returns whether the decoder has given everything, or has had its time.
    private func end(within patience: Duration, since now: MonotonicInstant) -> Bool {
        if deadline == nil { decoder?.finish() }
        let end = deadline ?? now + patience
        deadline = end
        drain()
        guard decoder?.isFinished != false || now >= end else { return false }
        (decoder, format, deadline, findings.isEnd) = (nil, nil, nil, true)
        return true
    }

    /// Passes a run to the decoder, or the rest of it. Returns false if the decoder is full.
    private func take(_ run: TappedFrames) -> Bool {
        if cursor == nil { begin(run) }
        var next = cursor ?? Cursor(instant: run.instant, start: run.start)
        let isWhole = run.slice.withBytes { take(run, $0, from: &next) }
        cursor = isWhole ? nil : next
        if isWhole { findings.bytes += run.slice.count }
        return isWhole
    }

    /// Passes the frames from `next` on, which moves with them. Returns false if the decoder is full.
    private func take(_ run: TappedFrames, _ bytes: UnsafeRawBufferPointer, from next: inout Cursor) -> Bool {
        while next.index < run.sizes.count {
            let size = run.sizes[next.index]
            let end = min(bytes.count, next.offset + Int(size.length))
            let instants = next.instant..<next.instant.addingSaturated(Int64(size.samples))
            let place = Place(number: run.number + Int64(next.index), instants: instants, start: next.start)
            guard put(UnsafeRawBufferPointer(rebasing: bytes[next.offset..<end]), place) else { return false }
            next.start += .samples(Int64(size.samples), at: run.format.sampleRate)
            (next.index, next.offset, next.instant) = (next.index + 1, end, instants.upperBound)
        }
        return true
    }

    /// Begins a decoder if this run needs another one.
    private func begin(_ run: TappedFrames) {
        let (isOther, age) = (run.isBreak || run.format != format, run.start - begun)
        guard isOther || decoder == nil && age >= pause else { return }
        let isFresh = isOther || age >= Self.longestPause * 2
        (begun, pause) = (run.start, isFresh ? Self.leastPause : min(pause * 2, Self.longestPause))
        let format = run.format
        drain()
        places.removeAll(keepingCapacity: true)
        (self.format, decoder, meter, findings.failure) = (format, nil, nil, nil)
        attempt { () throws(DecodingError) in decoder = try makeDecoder(format) }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ place: Place) -> Bool {
        guard let decoder else { return true }
        var isTaken = true
        attempt { () throws(DecodingError) in
            isTaken = try decoder.put(bytes, at: place.instants.lowerBound)
            guard !isTaken else { return }
            drain()
            isTaken = try decoder.put(bytes, at: place.instants.lowerBound)
        }
        guard isTaken else { return false }
        places.append(place)
        if places.count > Self.mostPlaces { places.removeFirst(places.count / 2) }
        // A process gets all frames of a run at once, so that it wakes only once.
        if decoder.descriptor == nil { drain() }
        return true
    }

    private func drain() {
        guard let decoder, let format else { return }
        attempt { () throws(DecodingError) in
            while let block = try decoder.next() { add(block, format) }
        }
    }

    private func add(_ block: PCMBlock, _ format: StreamFormat) {
        if meter?.format != block.format { meter = WindowMeter(block.format) }
        guard let measured = meter?.add(block, streamRate: format.sampleRate) else { return }
        // PCM of layer III begins before its frame, by the delay of the decoder.
        guard let first = places.firstIndex(where: { $0.instants.upperBound > measured.instants.lowerBound })
        else { return }
        let place = places[first]
        let (offset, overflow) = measured.instants.lowerBound.subtractingReportingOverflow(place.instants.lowerBound)
        findings.windows.append(
            SoundWindow(
                frame: place.number, instant: measured.instants.lowerBound,
                start: place.start + .samples(overflow ? 0 : offset, at: format.sampleRate),
                length: .samples(Int64(measured.instants.count), at: format.sampleRate), loudness: measured.loudness,
                crossings: measured.crossings))
        places.removeFirst(first)
    }

    /// Runs `body`. A damaged frame costs this frame alone; any other error ends the run.
    private func attempt(_ body: () throws(DecodingError) -> Void) {
        do throws(DecodingError) {
            try body()
        } catch .damagedFrame {
        } catch {
            (decoder, findings.failure) = (nil, error)
        }
    }
}
