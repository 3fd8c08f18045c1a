// SPDX-License-Identifier: MIT

import Decoding
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import TestTools
import Testing

@testable import Analysis

/// What is found in real streams, compared with the sound that was encoded.
struct FrameDecodingTests {
    struct Encoding: CustomTestStringConvertible {
        var testDescription: String
        var container: Container
        var rate = 44_100
        var options: [String]
    }

    static let encodings = [
        Encoding(
            testDescription: "layer III", container: .mpeg,
            options: ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"]),
        Encoding(testDescription: "AAC", container: .adts, options: ["-c:a", "aac", "-b:a", "96k", "-f", "adts"]),
        Encoding(testDescription: "Opus", container: .ogg, rate: 48_000, options: ["-c:a", "libopus", "-f", "ogg"]),
        Encoding(testDescription: "FLAC", container: .ogg, options: ["-c:a", "flac", "-f", "ogg"]),
    ]

    /// Ten seconds each: noise, silence, a tone of 1 kHz, noise.
    private static func encode(_ encoding: Encoding) throws -> [UInt8] {
        let folder = try TemporaryFolder("aircheck-analysis")
        let noise = "anoisesrc=seed=7:amplitude=0.25:color=pink:r=\(encoding.rate):d=10"
        let outcome = try ChildProcess(
            .ffmpeg,
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", noise, "-f", "lavfi", "-i",
                "anullsrc=r=\(encoding.rate):cl=mono:d=10", "-f", "lavfi", "-i",
                "sine=1000:r=\(encoding.rate):d=10", "-f", "lavfi", "-i", noise, "-filter_complex",
                "[0][1][2][3]concat=n=4:v=0:a=1", "-ac", "2",
            ] + encoding.options + [folder.file("output")]
        ).wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("ffmpeg: \(outcome.standardError)") }
        return try folder.read("output")
    }

    /// The frames of a stream, a second or so at once.
    private static func frames(_ bytes: [UInt8], in container: Container) -> [TappedFrames] {
        var framer = container.makeFramer()
        bytes.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var all: [TappedFrames] = []
        var (slab, sizes): (Slab?, [TappedFrames.FrameSize]) = (nil, [])
        var (number, instant, start) = (Int64(0), Int64(0), Duration.zero)
        func close() {
            guard let slab, !sizes.isEmpty else { return }
            let samples = sizes.reduce(0) { $0 + Int64($1.samples) }
            all.append(
                TappedFrames(
                    format: slab.format, slice: SlabSlice(slab, 0..<slab.committed), sizes: sizes, number: number,
                    instant: instant, start: start, isBreak: false))
            number += Int64(sizes.count)
            instant += samples
            start += .samples(samples, at: slab.format.sampleRate)
            sizes = []
        }
        while let event = framer.next() {
            switch event {
            case .format(let format):
                close()
                slab = Slab(format: format, capacity: 1 << 20)
            case .frame(let frame):
                if sizes.count == 40, let format = slab?.format {
                    close()
                    slab = Slab(format: format, capacity: 1 << 20)
                }
                framer.withBytes(of: frame) { bytes in
                    _ = slab?.append(bytes, FrameFacts(samples: frame.samples))
                    sizes.append(.init(length: Int32(bytes.count), samples: Int32(frame.samples)))
                }
            default: break
            }
        }
        close()
        return all
    }

    /// The windows that a thread finds in all but the last second, part of which a decoder keeps until its end.
    private static func windows(_ encoding: Encoding) throws -> [SoundWindow] {
        let frames = Self.frames(try encode(encoding), in: encoding.container)
        let found = Monitor<[SoundWindow]>([])
        let thread = try DecodingThread { format throws(DecodingError) in try Decoders.make(for: format) }
        defer { thread.shutDown() }
        let tap = Monitor(0)
        thread.begin(ObjectIdentifier(tap)) { findings in
            found.withLock { $0 += findings.windows }
            found.signal()
        }
        for run in frames { thread.decode(run, of: ObjectIdentifier(tap)) }
        return found.wait(until: .read() + .seconds(30)) { windows in
            windows.last.map { $0.start + $0.length > .seconds(39) } == true ? windows : nil
        } ?? found.withLock { $0 }
    }

    @Test("The sound of each codec is found, at its place", arguments: encodings)
    func places(_ encoding: Encoding) async throws {
        let windows = try await onThread { try Self.windows(encoding) }
        var watch = StillnessWatch(threshold: .seconds(5))
        var found: [(Duration, StillnessWatch.Change)] = []
        for window in windows { watch.take(window).map { found.append((window.start, $0)) } }
        let last = try #require(windows.last)
        let frameLength = last.end.inSeconds / Double(last.frame + 1)
        func at(_ frame: Int64) -> Double { Double(frame) * frameLength }
        try #require(found.count == 3, "\(found)")
        guard case .began(let quiet, let part) = found[0].1, case .turned(let tone, let end) = found[1].1,
            case .ended(quiet, let sound) = found[2].1, quiet == part, [quiet.kind, tone.kind] == [.silence, .tone]
        else { return #expect(Bool(false), "\(found)") }
        for (window, place) in zip([quiet.first, end, tone.first, sound], [10.0, 20, 20, 30]) {
            #expect(abs(at(window.frame) - place) < 0.3 && abs(window.start.inSeconds - place) < 0.3)
        }
        // The tone of ffmpeg has an amplitude of 1/8, of which each of two channels gets 0.707.
        var inTone = windows.filter { 22..<28 ~= $0.start.inSeconds }
        #expect(inTone.allSatisfy { abs(Loudness.Channel.decibels($0.loudness.channels[0].rms) + 24.08) < 0.5 })
        var sum = inTone.removeFirst()
        for window in inTone { sum.append(window) }
        #expect(abs(Loudness.Channel.decibels(sum.loudness.channels[0].rms) + 24.08) < 0.5)
        #expect(abs(sum.crossings - 2_000) < 10 && abs(sum.length.inSeconds - 6) < 0.15)
        // The windows cover all of the sound.
        for (window, next) in zip(windows, windows.dropFirst()) {
            #expect(abs((window.start + window.length - next.start).inSeconds) < 0.002)
        }
    }

    @Test("A43: a station's sound is measured in a two-hundredth of its time") func cost() async throws {
        let frames = Self.frames(try Self.encode(Self.encodings[0]), in: .mpeg)
        let seconds = try await onThread {
            let decoding = FrameDecoding({ format throws(DecodingError) in try Decoders.make(for: format) }) { _ in }
            let began = Self.threadTime()
            for run in frames {
                decoding.put(run)
                decoding.report()
            }
            return Self.threadTime() - began
        }
        #expect(seconds < 40.0 / 200)
    }

    @Test("A42: a decoder that cannot be started is started again, after pauses of 5 s to a minute")
    func pauses() throws {
        var run = try #require(Self.frames(try Self.encode(Self.encodings[0]), in: .mpeg).first)
        let (second, begun) = (Monitor(0), Monitor<[Int]>([]))
        var (first, failure): (Duration?, DecodingError?)
        let decoding = FrameDecoding({ format throws(DecodingError) in
            let now = second.withLock { $0 }
            begun.withLock { $0.append(now) }
            guard now >= 250 else { throw .missing(name: "ffmpeg", package: "ffmpeg") }
            return try Decoders.make(for: format)
        }) {
            first = first ?? $0.windows.first?.start
            failure = $0.failure
        }
        for now in 0..<400 {
            second.withLock { $0 = now }
            run.start = .seconds(now)
            decoding.put(run)
            decoding.report()
        }
        #expect(begun.withLock { $0 } == [0, 5, 15, 35, 75, 135, 195, 255])
        #expect(first.map { $0 - .seconds(255) < .seconds(1) } == true && failure == nil)
    }

    /// The processor time that this thread has used, in seconds.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
