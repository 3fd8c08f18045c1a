// SPDX-License-Identifier: MIT

import Decoding
import Glibc
import Instants
import RadioCore
import RadioFormats

/// Decodes the frames of one tap into windows, and reports these. Used by one thread.
final class FrameDecoding {
    private let makeDecoder: DecodingThread.Maker
    private let tell: (DecodingThread.Findings) -> Void
    private var format: StreamFormat?
    private var decoder: (any Decoding)?
    private var meter: WindowMeter?
    /// The frames whose windows are not complete, oldest first.
    private var places: [Place] = []
    private var findings = DecodingThread.Findings()
    /// The runs that the decoder has not taken whole, because it is full, and how far it has taken the first one.
    private var runs: [TappedFrames] = []
    private var cursor: Cursor?

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

    init(_ makeDecoder: @escaping DecodingThread.Maker, tell: @escaping (DecodingThread.Findings) -> Void) {
        self.makeDecoder = makeDecoder
        self.tell = tell
    }

    /// Whether the decoder may give more PCM without another frame.
    var isAwaiting: Bool { decoder?.descriptor != nil && !places.isEmpty }

    /// Whether frames wait for the decoder: one in a child process takes further ones once its output is read.
    var isFull: Bool { !runs.isEmpty }

    /// Reports what has been found since the last report.
    func report() {
        drain()
        advance()
        guard findings.bytes > 0 || !findings.windows.isEmpty else { return }
        tell(findings)
        findings.windows.removeAll(keepingCapacity: true)
        findings.bytes = 0
    }

    func put(_ frames: TappedFrames) {
        runs.append(frames)
        advance()
    }

    /// Waits until the decoder has taken all frames.
    func settle() { wait { runs.isEmpty } }

    /// Reports what the decoder still holds. Call it after the last frame.
    func finish() {
        settle()
        decoder?.finish()
        wait { decoder?.isFinished != false }
        report()
    }

    /// Waits for a decoder in a child process, which may hang.
    private func wait(until isDone: () -> Bool) {
        var looks = 0
        while !isDone(), looks < Self.mostLooks, let descriptor = decoder?.descriptor {
            var output = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            looks = poll(&output, 1, Self.lookPause) > 0 ? 0 : looks + 1
            drain()
            advance()
        }
    }

    /// Has the decoder take as many of the waiting frames as it can.
    private func advance() {
        while let run = runs.first {
            if cursor == nil, run.isBreak || run.format != format { begin(run.format) }
            var next = cursor ?? Cursor(instant: run.instant, start: run.start)
            let isWhole = run.slice.withBytes { take(run, $0, from: &next) }
            cursor = next
            guard isWhole else { return }
            findings.bytes += run.slice.count
            runs.removeFirst()
            cursor = nil
        }
    }

    /// Returns false if the decoder is full.
    private func take(_ run: TappedFrames, _ bytes: UnsafeRawBufferPointer, from next: inout Cursor) -> Bool {
        while next.index < run.frames.count {
            let frame = run.frames[next.index]
            let end = min(bytes.count, next.offset + Int(frame.length))
            let instants = next.instant..<next.instant.addingSaturated(Int64(frame.samples))
            let place = Place(number: run.number + Int64(next.index), instants: instants, start: next.start)
            guard put(UnsafeRawBufferPointer(rebasing: bytes[next.offset..<end]), place) else { return false }
            next.start += .samples(Int64(frame.samples), at: run.format.sampleRate)
            (next.index, next.offset, next.instant) = (next.index + 1, end, instants.upperBound)
        }
        return true
    }

    private func begin(_ format: StreamFormat) {
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
        drain()
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
