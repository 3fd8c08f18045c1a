// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore

/// A ring holds whole frames in order; a cursor reads every byte once or is reported as overrun.
@Suite struct RingTests {
    private let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)

    @Test("Positions count frames, bytes and samples, and only samples restart with a new format") func positions() {
        var ring = Ring()
        #expect(ring.append([1, 2, 3], samples: 10) == nil, "no format yet")
        ring.begin(format)
        for size in [100, 1, 4_000] { #expect(ring.append(Self.frame(size), samples: 1152) != nil) }
        #expect(ring.position == Position(frames: 3, bytes: 4_101, samples: 3 * 1152))
        ring.begin(StreamFormat(codec: .aac, sampleRate: 48_000, channels: 2))
        #expect(ring.position == Position(frames: 3, bytes: 4_101, samples: 0))
    }

    @Test("A frame larger than a slab gets its own slab") func largeFrame() {
        var ring = Ring()
        ring.begin(format)
        let slab = ring.append(Self.frame(2_000_000), samples: 1152)
        #expect(slab?.committed == 2_000_000)
    }

    @Test("A cursor that keeps up reads every byte once, in order", arguments: 0..<20) func promptCursor(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ring = Ring(depth: .seconds(2))
        ring.begin(format)
        var cursor = ring.liveEdge
        var sent: [UInt8] = []
        var read: [UInt8] = []
        for _ in 0..<2_000 {
            let frame = random.bytes(Int.random(in: 1...900, using: &random))
            sent += frame
            _ = ring.append(frame, samples: 1152)
            while Bool.random(using: &random), let slice = ring.bytes(at: &cursor) {
                let take = Int.random(in: 1...slice.count, using: &random)
                slice.withBytes { read += $0.prefix(take) }
                cursor.offset += take
            }
            if ring.isOverrun(cursor) { break }
        }
        while let slice = ring.bytes(at: &cursor) {
            slice.withBytes { read += $0 }
            cursor.offset += slice.count
        }
        #expect(read == Array(sent.prefix(read.count)))
        #expect(ring.isOverrun(cursor) || read.count == sent.count)
    }

    @Test("Audio beyond the ring's depth is dropped, and a cursor in it is overrun") func depth() {
        var ring = Ring(depth: .seconds(3))
        ring.begin(format)
        _ = ring.append(Self.frame(400), samples: 1152)
        var cursor = RingCursor(slab: 0, offset: 0)
        #expect(ring.bytes(at: &cursor) != nil)
        for _ in 0..<1_000 { _ = ring.append(Self.frame(400), samples: 1152) }
        #expect(ring.isOverrun(cursor))
        let join = ring.joinPoint(behind: .seconds(60))
        #expect(!ring.isOverrun(join))
        let kept = ring.lag(of: join)
        #expect(kept >= .seconds(3) && kept < .seconds(5.2), "\(kept)")
    }

    @Test("A join point is a whole frame, and one that needs no earlier frame if such a frame is near") func joinPoint()
    {
        var ring = Ring(depth: .seconds(10))
        ring.begin(format)
        for number in 0..<300 {
            _ = Self.frame(418).withUnsafeBytes {
                ring.append($0, .init(samples: 1152, backReference: number % 10 == 0 ? 0 : 300))
            }
        }
        let join = ring.joinPoint(behind: .seconds(4))
        let lag = ring.lag(of: join)
        #expect(lag >= .seconds(4) && lag < .seconds(4.4), "\(lag)")
        #expect(ring.position(of: join).frames % 10 == 0)
        #expect(ring.joinPoint(behind: .zero) != RingCursor(slab: 0, offset: 0))
    }

    @Test("A join point is never in an older format") func joinFormat() {
        var ring = Ring(depth: .seconds(10))
        ring.begin(format)
        for _ in 0..<100 { _ = ring.append(Self.frame(400), samples: 1152) }
        let other = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
        ring.begin(other)
        var join = ring.joinPoint(behind: .seconds(4))
        #expect(ring.bytes(at: &join) == nil)
        _ = ring.append(Self.frame(400), samples: 1152)
        join = ring.joinPoint(behind: .seconds(4))
        #expect(ring.bytes(at: &join)?.slab.format == other)
    }

    @Test("A frame's number and its cursor belong together, and what is gone or to come is at the ends")
    func cursorsOfFrames() {
        var ring = Ring(depth: .seconds(3))
        #expect(ring.cursor(ofFrame: 5) == ring.liveEdge)
        ring.begin(format)
        for number in 0..<400 { _ = ring.append(Self.frame(400 + number % 7), samples: 1152) }
        let oldest = ring.oldestFrame
        #expect(oldest > 200)
        for frame in oldest..<400 {
            let cursor = ring.cursor(ofFrame: frame)
            let place = ring.position(of: cursor)
            #expect(place.frames == frame && place == ring.chunk(from: frame)?.position)
        }
        #expect(ring.cursor(ofFrame: 3) == ring.cursor(ofFrame: oldest) && ring.chunk(from: oldest - 1) == nil)
        #expect(ring.cursor(ofFrame: 400) == ring.liveEdge && ring.cursor(ofFrame: .max) == ring.liveEdge)
        #expect(ring.chunk(from: 400) == nil && ring.chunk(from: .max) == nil)
    }

    @Test("A subchunk has its own byte range, position and sample count") func subchunk() {
        let slab = Slab(format: format, capacity: 1_000, position: Position(frames: 7, bytes: 70, samples: 700))
        for (size, samples) in [(10, 100), (20, 200), (30, 300)] {
            let took = Self.frame(size).withUnsafeBytes { slab.append($0, .init(samples: 100, backReference: 0)) }
            #expect(took == Int64(samples))
        }
        let chunk = Chunk(slab: slab, frames: 0..<3, bytes: 0..<60, position: slab.position, samples: 300)
        let rest = chunk.subchunk(1..<3)
        #expect(rest.bytes == 10..<60 && rest.position == Position(frames: 8, bytes: 80, samples: 800))
        #expect(rest.samples == 200 && rest.subchunk(1..<2).bytes == 30..<60)
    }

    private static func frame(_ size: Int) -> [UInt8] { [UInt8](repeating: 0xA5, count: size) }
}

extension Ring {
    mutating func append(_ bytes: [UInt8], samples: UInt32) -> Slab? {
        bytes.withUnsafeBytes { append($0, FrameFacts(samples: Int(samples))) }
    }

    @Test("Frames without playing time do not pile up in the ring")
    func timeless() {
        var ring = Ring(depth: .seconds(30))
        ring.begin(StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2))
        let first = ring.liveEdge
        let frame = [UInt8](repeating: 1, count: 60_000)
        for _ in 0..<1000 {
            frame.withUnsafeBytes { _ = ring.append($0, FrameFacts(samples: 0)) }
        }
        #expect(ring.isOverrun(first))
        let kept = ring.position.bytes - ring.position(of: first).bytes
        #expect(kept > 16 << 20 && kept <= 32 << 20)
    }
}
