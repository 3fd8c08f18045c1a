// SPDX-License-Identifier: MIT

import Decoding
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks decoders that get damaged frames, truncated frames, and frames of another stream, for a minute. Each run of
/// frames has its own decoder, as after a gap or a change of format. The decoder must decode the good frames that end
/// the run, and must leak nothing.
struct HostileFrames: SoakCase {
    let name = "hostile-frames"
    let hazard = "B10"

    private static let seconds = 60
    private static let mostGrowth = 32 << 10

    /// A format, and frames in that format.
    private struct Stream {
        let format: StreamFormat
        let frames: [[UInt8]]
    }

    func run(_ plan: SoakPlan) throws -> String {
        var random = SplitMix64(seed: plan.seed)
        let streams = try Self.streams()
        let end = SoakClock.seconds() + Int64(Self.seconds)
        var (runs, damaged, values) = (0, 0, 0)
        var memory: Int?
        while SoakClock.seconds() < end {
            for stream in streams {
                let decoder = try Decoders.make(for: stream.format)
                for _ in 0..<Int.random(in: 1...200, using: &random) {
                    let other = streams.randomElement(using: &random) ?? stream
                    let count = try Self.put(Self.frame(of: stream, or: other, &random), into: decoder)
                    if let count { values += count } else { damaged += 1 }
                }
                // Several good frames are needed, because the first of them refer to data of earlier frames.
                let good = try stream.frames.dropFirst(20).prefix(12).reduce(0) {
                    $0 + (try Self.put($1, into: decoder) ?? 0)
                }
                try Harm.unless(good > 0, "good frames are not decoded after hostile ones: \(stream.format.words)")
                runs += 1
            }
            // By now, the libraries have allocated the memory that they keep, so later growth is a leak.
            if memory == nil, runs > 200 { memory = try ProcessFigures.residentKiB() }
        }
        let growth = try ProcessFigures.residentKiB() - (memory ?? 0)
        try Harm.unless(memory == nil || growth < Self.mostGrowth, "memory has grown by \(growth) KiB")
        return "\(runs) decoders, \(damaged) damaged frames, \(values) values decoded, \(growth) KiB of growth"
    }

    /// Decodes a frame. Returns the number of decoded values, or nil if the frame is damaged.
    private static func put(_ frame: [UInt8], into decoder: any Decoding) throws -> Int? {
        do {
            _ = try frame.withUnsafeBytes { try decoder.put($0, at: 0) }
            var count = 0
            // Reads each value, to verify that the memory is valid.
            while let block = try decoder.next() { count += block.values.count { $0.isFinite } }
            return count
        } catch DecodingError.damagedFrame {
            return nil
        }
    }

    private static func frame(of stream: Stream, or other: Stream, _ random: inout SplitMix64) -> [UInt8] {
        var frame = stream.frames.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: break
        case 1: frame = other.frames.randomElement(using: &random) ?? []
        case 2: frame = Array(frame.prefix(Int.random(in: 0...frame.count, using: &random)))
        case 3: frame += random.bytes(Int.random(in: 1...2_000, using: &random))
        case 4: frame = random.bytes(Int.random(in: 0...4_000, using: &random))
        default:
            for _ in 0..<Int.random(in: 1...40, using: &random) where !frame.isEmpty {
                frame[Int.random(in: frame.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return frame
    }

    private static func streams() throws -> [Stream] {
        let mpeg: [(ReferenceProgramme.Encoding, Int, Int)] = [
            (.mp3(128), 48_000, 2), (.mp3(320), 44_100, 2), (.mp3(64), 22_050, 2), (.mp3(32), 16_000, 1),
            (.mp3(8), 8_000, 1), (.mp2(192), 48_000, 2), (.mp2(384), 32_000, 2),
        ]
        let others: [(ReferenceProgramme.Encoding, Container)] = [
            (.opus(96), .ogg), (.vorbis(128), .ogg), (.flac, .ogg), (.nativeFLAC, .flac),
        ]
        return try mpeg.map { encoding, rate, channels in
            try stream(.init(encoding, sampleRate: rate, channels: channels, seconds: 4), in: .mpeg)
        } + others.map { try stream(.init($0, sampleRate: 48_000, seconds: 4), in: $1) }
    }

    private static func stream(_ parameters: ReferenceProgramme.Parameters, in container: Container) throws -> Stream {
        var framer = container.makeFramer()
        try ReferenceProgramme(parameters).bytes.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var (format, frames): (StreamFormat?, [[UInt8]]) = (nil, [])
        while let event = framer.next() {
            switch event {
            case .format(let found): format = format ?? found
            case .frame(let frame): frames.append(framer.withBytes(of: frame) { Array($0) })
            default: break
            }
        }
        guard let format, frames.count > 32 else { throw SetupError("no frames could be made") }
        return Stream(format: format, frames: frames)
    }
}
