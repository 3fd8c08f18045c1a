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
    /// How often a full decoder may still be waited for in the present run of frames.
    private var looks = 0

    private struct Place {
        var number: Int64
        var instants: Range<Int64>
        var start: Duration
    }

    /// How many frames a decoder may hold without giving PCM.
    private static let mostPlaces = 2_048
    /// How often, and for how many milliseconds, a full decoder is waited for in a run of frames. Other stations wait
    /// meanwhile.
    private static let mostLooks = 20
    private static let lookPause: CInt = 50

    init(_ makeDecoder: @escaping DecodingThread.Maker, tell: @escaping (DecodingThread.Findings) -> Void) {
        self.makeDecoder = makeDecoder
        self.tell = tell
    }

    /// Whether the decoder may give more PCM without another frame.
    var isAwaiting: Bool { decoder?.descriptor != nil && !places.isEmpty }

    /// Reports what has been found since the last report.
    func report() {
        drain()
        guard findings.bytes > 0 || !findings.windows.isEmpty else { return }
        tell(findings)
        findings.windows.removeAll(keepingCapacity: true)
        findings.bytes = 0
    }

    func put(_ frames: TappedFrames) {
        if frames.isBreak || frames.format != format { begin(frames.format) }
        findings.bytes += frames.slice.count
        looks = Self.mostLooks
        var (number, instant, start, offset) = (frames.number, frames.instant, frames.start, 0)
        frames.slice.withBytes { bytes in
            for frame in frames.frames {
                let end = min(bytes.count, offset + Int(frame.length))
                let next = instant.addingSaturated(Int64(frame.samples))
                put(
                    UnsafeRawBufferPointer(rebasing: bytes[offset..<end]),
                    Place(number: number, instants: instant..<next, start: start))
                start += .samples(Int64(frame.samples), at: frames.format.sampleRate)
                (number, instant, offset) = (number + 1, next, end)
            }
        }
    }

    /// Reports what the decoder still holds. Call it after the last frame.
    func finish() {
        decoder?.finish()
        looks = Self.mostLooks
        while let decoder, !decoder.isFinished, looks > 0 {
            awaitOutput(of: decoder)
            drain()
        }
        report()
    }

    /// Waits for a decoder in a child process.
    private func awaitOutput(of decoder: any Decoding) {
        var output = pollfd(fd: decoder.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        _ = poll(&output, 1, Self.lookPause)
        looks -= 1
    }

    private func begin(_ format: StreamFormat) {
        drain()
        places.removeAll(keepingCapacity: true)
        (self.format, decoder, meter, findings.failure) = (format, nil, nil, nil)
        attempt { () throws(DecodingError) in decoder = try makeDecoder(format) }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ place: Place) {
        guard let decoder else { return }
        places.append(place)
        if places.count > Self.mostPlaces { places.removeFirst(places.count / 2) }
        attempt { () throws(DecodingError) in
            while try !decoder.put(bytes, at: place.instants.lowerBound), looks > 0 {
                // A decoder in a child process is full until its output is read. A frame is left out if that hangs.
                awaitOutput(of: decoder)
                drain()
            }
        }
        drain()
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
