// SPDX-License-Identifier: MIT

import Instants

extension Broadcast {
    /// A part of a synthetic programme. Durations are rounded up to whole frames.
    package enum Part: Sendable {
        /// Frames that all differ.
        case music(Duration)
        /// Digital silence: frames that are identical except for the padding that 44.1 kHz requires.
        case silence(Duration)
        /// A sequence of different frames, repeated byte for byte; `times` is the total number of times that it is
        /// played.
        case jingle(Duration, times: Int)
        /// A change of format. All following parts have the new format.
        case format(MPEGShape)
    }

    /// Creates a synthetic programme of MPEG audio. Everything that a framer reads is valid; the payload is noise.
    ///
    /// The same arguments yield the same bytes. A different seed simulates a different encoder of the same programme.
    package init(_ parts: [Part], _ shape: MPEGShape = MPEGShape(), seed: UInt64 = 1) {
        var bytes: [UInt8] = []
        var frames: [(end: Int, length: Duration)] = []
        var maker = SyntheticFrames(shape, seed: seed)
        func frameLength() -> Duration { .samples(Int64(maker.shape.samples), at: maker.shape.sampleRate) }
        func count(_ length: Duration) -> Int {
            let samples = length.inSeconds * Double(maker.shape.sampleRate)
            return Int((samples / Double(maker.shape.samples)).rounded(.up))
        }
        for part in parts {
            switch part {
            case .music(let length):
                for _ in 0..<count(length) {
                    maker.appendNoise(to: &bytes)
                    frames.append((bytes.count, frameLength()))
                }
            case .silence(let length):
                for _ in 0..<count(length) {
                    maker.appendSilence(to: &bytes)
                    frames.append((bytes.count, frameLength()))
                }
            case .jingle(let length, let times):
                let (start, first) = (bytes.count, frames.count)
                for _ in 0..<count(length) {
                    maker.appendNoise(to: &bytes)
                    frames.append((bytes.count, frameLength()))
                }
                let (jingle, ends) = (Array(bytes[start...]), frames[first...].map { $0.end - start })
                for _ in 1..<max(1, times) {
                    frames += ends.map { (bytes.count + $0, frameLength()) }
                    bytes += jingle
                }
            case .format(let shape):
                maker.shape = shape
            }
        }
        self.init(bytes: bytes, container: .mpegAudio, contentType: "audio/mpeg", frames: frames)
    }

    /// Creates a programme in which each unit is one frame.
    init(
        bytes: [UInt8], container: FrameChecker.Container, contentType: String,
        frames lengths: [(end: Int, length: Duration)]
    ) {
        var frames: [Frame] = []
        var units: [Unit] = []
        frames.reserveCapacity(lengths.count)
        units.reserveCapacity(lengths.count)
        var (offset, time) = (0, Duration.zero)
        for (end, length) in lengths {
            frames.append(Frame(bytes: bytes[offset..<end], start: time, length: length, offset: offset))
            time += length
            units.append(Unit(end: end, airs: time))
            offset = end
        }
        self.init(bytes: bytes, container: container, contentType: contentType, frames: frames, units: units)
    }
}
