// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// What comes out of segments: frames, each with the time that is stated for it.
struct HLSReaderTests {
    private let frames = Broadcast([.music(.seconds(3))], MPEGShape(sampleRate: 48_000)).frames.prefix(60).map {
        Array($0.bytes)
    }

    /// What a reader has said: the bytes of each frame, and before which frames a time was stated.
    private struct Said {
        var frames: [[UInt8]] = []
        var times: [Int: Int64] = [:]
        var losses: [Int] = []
        var titles: [String] = []

        mutating func take(_ output: HLSReader.Output) {
            switch output {
            case .frames(let batch, let bytes):
                for index in 0..<batch.count { frames.append(Array(bytes[batch.range(of: index..<index + 1)])) }
            case .time(let time): times[frames.count] = time.ticks
            case .part(.resync): losses.append(frames.count)
            case .part(.title(let title, _, _)): titles.append(title)
            default: break
            }
        }
    }

    private func read(_ segments: [[UInt8]]) throws -> Said {
        var reader = HLSReader(PackedAudioDemuxer())
        var said = Said()
        for segment in segments { try reader.read(segment) { said.take($0) } }
        return said
    }

    @Test("Each time is that of the first frame of its segment, and no frame is lost") func times() throws {
        let said = try read(
            stride(from: 0, to: 60, by: 20).map { start in
                PackedAudioSegment.bytes(frames[start..<start + 20], time: Int64(1_000 * (start + 1)))
            })
        #expect(FrameList.areEqual(said.frames, frames))
        #expect(said.times == [0: 1_000, 20: 21_000, 40: 41_000])
    }

    @Test("If a frame straddles segments, the time is that of the first one that begins in the second")
    func straddling()
        throws
    {
        let bytes = frames.flatMap { $0 }
        let cut = frames[..<20].reduce(0) { $0 + $1.count } + 9
        let said = try read([
            PackedAudioSegment.bytes([], time: 5) + bytes[..<cut],
            PackedAudioSegment.bytes([], time: 7) + bytes[cut...],
        ])
        #expect(FrameList.areEqual(said.frames, frames))
        #expect(said.times == [0: 5, 21: 7])
    }

    @Test("After a restart, what was read of a frame is forgotten, and so is its time") func restart() throws {
        let bytes = frames[..<21].flatMap { $0 }
        var reader = HLSReader(PackedAudioDemuxer())
        var said = Said()
        try reader.read(PackedAudioSegment.bytes([], time: 5) + bytes.dropLast(4)) { said.take($0) }
        reader.restart { said.take($0) }
        try reader.read(PackedAudioSegment.bytes(frames[40...], time: 9)) { said.take($0) }
        #expect(FrameList.areEqual(said.frames, Array(frames[..<20] + frames[40...])))
        #expect(said.times == [0: 5, 20: 9])
    }

    @Test("A segment that cannot be read is an error, not a crash; whole segments before it have come")
    func unreadable()
        throws
    {
        var reader = HLSReader(PackedAudioDemuxer())
        var said = Said()
        #expect(throws: DemuxProblem.self) {
            try reader.read(Array("<!DOCTYPE html><html>nothing</html>".utf8)) { said.take($0) }
        }
        // Calls that the contract forbids do nothing.
        try reader.read(frames.flatMap { $0 }) { said.take($0) }
        reader.restart { said.take($0) }
        #expect(said.frames.isEmpty)
    }

    /// Yields what it was told to, one step for each segment.
    private struct ScriptedDemuxer: Demuxer {
        enum Step {
            case audio([UInt8])
            case time(Int64)
            case lost
        }

        var segments: [[Step]]
        private var hasBegun = false

        init(_ segments: [[Step]]) { self.segments = segments }

        mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
            if !hasBegun { take(.container(.mpeg)) }
            hasBegun = true
            for step in segments.removeFirst() {
                switch step {
                case .audio(let bytes): bytes.withUnsafeBytes { take(.audio($0)) }
                case .time(let ticks): take(.time(.mpeg(ticks)))
                case .lost: take(.lost)
                }
            }
        }

        mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) {}
    }

    @Test("Behind a loss nothing is joined to what came before, and no time is kept for a frame that was lost")
    func loss() throws {
        let whole = { [frames] (range: Range<Int>) in frames[range].flatMap { $0 } }
        let half = Array(frames[20].prefix(100))
        var reader = HLSReader(
            ScriptedDemuxer([
                [.time(5), .audio(whole(0..<20) + half), .time(6), .lost, .audio(whole(30..<40))],
                // The rest of a frame whose beginning is lost is skipped.
                [.lost, .lost, .audio(Array(frames[40].dropFirst(100))), .time(7), .audio(whole(41..<60))],
            ]))
        var said = Said()
        var skipped = 0
        for _ in 0..<2 {
            try reader.read([0]) { output in
                said.take(output)
                if case .skipped(let bytes, _) = output { skipped += bytes }
            }
        }
        #expect(FrameList.areEqual(said.frames, Array(frames[..<20] + frames[30..<40] + frames[41...])))
        #expect(said.times == [0: 5, 30: 7], "\(said.times)")
        #expect(said.losses == [20, 30, 30], "\(said.losses)")
        #expect(skipped == 100 + frames[40].count - 100, "\(skipped)")
    }
}
