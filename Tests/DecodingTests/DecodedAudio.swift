// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats
import TestTools

@testable import Decoding

/// Frames of a stream with their instants, as the product's framers find them.
struct FramedStream {
    struct Frame {
        var bytes: [UInt8]
        var instant: Int64
        var samples: Int
    }

    var format: StreamFormat
    var frames: [Frame] = []

    /// Takes the first format of a stream, and all frames in that format.
    init(_ bytes: [UInt8], in container: Container) throws {
        var runs = Self.runs(bytes, in: container)
        guard !runs.isEmpty else { throw SetupError("no frames in the stream") }
        self = runs.removeFirst()
    }

    private init(format: StreamFormat) { self.format = format }

    /// All frames that a framer finds, one stream for each format.
    static func runs(_ bytes: [UInt8], in container: Container) -> [FramedStream] {
        var framer = container.makeFramer()
        bytes.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var runs: [FramedStream] = []
        var position: Int64 = 0
        while let event = framer.next() {
            switch event {
            case .format(let format): runs.append(FramedStream(format: format))
            case .frame(let frame) where !runs.isEmpty:
                let bytes = framer.withBytes(of: frame) { Array($0) }
                runs[runs.count - 1].frames.append(Frame(bytes: bytes, instant: position, samples: frame.samples))
                position += Int64(frame.samples)
            default: break
            }
        }
        return runs.filter { !$0.frames.isEmpty }
    }
}

/// The output of a decoder.
struct DecodedAudio {
    var format: PCMFormat?
    var values: [Float] = []
    /// The position of the first sample, in the stream's samples.
    var instant: Int64?
    /// Whether each block began where the one before it ended.
    var isContinuous = true
    var damaged = 0
    private var expected: Int64?
    /// The stream's rate.
    private let rate: Int

    init(rate: Int) { self.rate = rate }

    /// The whole output for these frames.
    init(_ frames: some Sequence<FramedStream.Frame>, of stream: FramedStream, by decoder: any Decoding) throws {
        self.init(rate: stream.format.sampleRate)
        for frame in frames { try put(frame, into: decoder) }
        try finish(decoder)
    }

    /// Puts a frame, and takes output until the decoder has accepted the frame.
    mutating func put(_ frame: FramedStream.Frame, into decoder: any Decoding) throws {
        let deadline = Deadline(after: .seconds(30))
        while true {
            do {
                let isTaken = try frame.bytes.withUnsafeBytes { try decoder.put($0, at: frame.instant) }
                let known = values.count
                try drain(decoder)
                if isTaken { return }
                // A decoder that has given PCM takes more, and may have no more PCM before it does.
                if values.count > known { continue }
            } catch DecodingError.damagedFrame {
                damaged += 1
                return
            }
            guard let descriptor = decoder.descriptor, !deadline.hasPassed else {
                throw SetupError("the decoder takes nothing")
            }
            wait(descriptor, deadline)
        }
    }

    mutating func drain(_ decoder: any Decoding) throws(DecodingError) {
        while let block = try decoder.next() {
            if let expected, block.instant != expected { isContinuous = false }
            instant = instant ?? block.instant
            format = block.format
            values += block.values
            expected = block.instant + Int64(block.count * rate / block.format.sampleRate)
        }
    }

    mutating func finish(_ decoder: any Decoding) throws {
        decoder.finish()
        let deadline = Deadline(after: .seconds(30))
        try drain(decoder)
        while !decoder.isFinished {
            guard let descriptor = decoder.descriptor, !deadline.hasPassed else {
                throw SetupError("the decoder does not finish")
            }
            wait(descriptor, deadline)
            try drain(decoder)
        }
    }

    var samples: Int { values.count / max(1, format?.channels ?? 1) }
}

/// Waits until a descriptor is readable.
func wait(_ descriptor: CInt, _ deadline: Deadline) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, deadline.milliseconds)
}

/// The ratio of a signal to its difference from another one, in decibels, over the values that both have.
func signalToNoise(_ values: ArraySlice<Float>, _ others: ArraySlice<Float>) -> Double {
    var (signal, noise) = (0.0, 0.0)
    for (value, other) in zip(values, others) {
        signal += Double(value) * Double(value)
        let difference = Double(value) - Double(other)
        noise += difference * difference
    }
    guard signal > 0 else { return noise == 0 ? 200 : -200 }
    return 10 * log10(signal / max(noise, signal * 1e-20))
}

/// Audio that ffmpeg encodes and decodes, each time in its own folder.
enum Encoded {
    /// A different tone in each channel, so that a decoder that swaps channels is noticed.
    static func tones(_ channels: Int, _ arguments: [String], rate: Int = 48_000) throws -> [UInt8] {
        let layout = ["mono", "stereo", "3.0", "quad", "5.0", "5.1"][channels - 1]
        let tones = (0..<channels).map { "0.2*sin(2*PI*\($0 == 3 && channels == 6 ? 60 : 300 + 170 * $0)*t)" }
        let source = "aevalsrc=\(tones.joined(separator: "|")):c=\(layout):s=\(rate):d=2"
        return try ffmpeg(["-f", "lavfi", "-i", source] + arguments, input: nil)
    }

    /// Pink noise.
    static func noise(_ arguments: [String], rate: Int = 44_100, seconds: Int = 2) throws -> [UInt8] {
        let source = "anoisesrc=seed=7:amplitude=0.25:color=pink:r=\(rate):d=\(seconds)"
        return try ffmpeg(["-f", "lavfi", "-i", source] + arguments, input: nil)
    }

    /// The values that ffmpeg decodes from a file.
    static func decoded(_ bytes: [UInt8], _ options: [String] = []) throws -> [Float] {
        let output = try ffmpeg(options + ["-i", "INPUT", "-f", "f32le", "-c:a", "pcm_f32le"], input: bytes)
        return output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    private static func ffmpeg(_ arguments: [String], input: [UInt8]?) throws -> [UInt8] {
        let folder = try TemporaryFolder("aircheck-decoding")
        if let input { try folder.write("input", input) }
        let arguments = arguments.map { $0 == "INPUT" ? folder.file("input") : $0 }
        let fixed = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-threads", "1"]
        let outcome = try ChildProcess(
            .ffmpeg, fixed + arguments + ["-fflags", "+bitexact", "-flags:a", "+bitexact", folder.file("output")]
        ).wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("ffmpeg: \(outcome.standardError)") }
        return try folder.read("output")
    }
}
