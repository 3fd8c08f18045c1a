// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import Platform
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import RadioCore
@testable import Recorder
@testable import Storage

/// What is read back from a recording, compared with what the hub has sent it.
@Suite("A recording as an archive")
struct ArchiveTests {
    @Test(
        "An archive returns every frame with its number, while the recording grows and once it is complete",
        arguments: FormatTests.programmes)
    func everyFormat(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        let log = FrameLog(of: rig.hub)
        rig.play(programme.bytes, with: FormatTests.framer(for: parameters.encoding))
        rig.pass(.seconds(2))
        // The newest frames of a growing file may be missing, because they may be in pages that are not full yet.
        let growing = try rig.read(rig.recorder.archive, from: 0)
        #expect(growing.count > log.frames.count * 9 / 10 && growing.isPrefix(of: log))
        _ = rig.stop()
        let whole = try rig.read(rig.recorder.archive, from: 0)
        #expect(whole == log.frames)
        let middle = Int64(log.frames.count / 2)
        let rest = try rig.read(rig.recorder.archive, from: middle)
        #expect(rest == log.frames.filter { $0.key >= middle })
        #expect(try rig.read(rig.recorder.archive, from: Int64(log.frames.count)).isEmpty)
    }

    @Test("An archive knows which frames a full disk has cost it", arguments: FormatTests.programmes)
    func fullDisk(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        var limits = WriterLimits()
        limits.clientAge = .seconds(2)
        let rig = try RecorderRig(limits: limits) { $0.policy = .none }
        let log = FrameLog(of: rig.hub)
        rig.fillDisk(from: .seconds(2), to: .milliseconds(6_700))
        rig.play(programme.bytes, with: FormatTests.framer(for: parameters.encoding))
        let report = rig.stop()
        let read = try rig.read(rig.recorder.archive, from: 0)
        #expect(read.count == Int(report.frames) && read.allSatisfy { log.frames[$0.key] == $0.value })
    }

    @Test(
        "An archive is read from any frame on, even in a long file", arguments: [RecorderRig.format, RecorderRig.flac],
        [true, false])
    func longFile(format: StreamFormat, isPure: Bool) throws {
        let rig = try RecorderRig {
            $0.policy = .none
            $0.isPure = isPure
            // Only then is there an index.
            $0.stationID = isPure ? nil : "fip"
        }
        let log = FrameLog(of: rig.hub)
        rig.begin(format)
        rig.play(.seconds(120))
        rig.pass(.seconds(2))
        #expect(log.frames.count > 4 * 1_024)
        for frame: Int64 in [4_000, 1_023, 1_024, 1_025, 0, 2_500, 1_500] {
            let read = try rig.read(rig.recorder.archive, from: frame)
            let isRight = read == log.frames.filter { $0.key >= frame }
            #expect(isRight, "from \(frame)")
        }
        _ = rig.stop()
    }

    @Test(
        "A reader in the middle of a file that gets found audio neither repeats nor loses a frame",
        arguments: 0..<12 as Range<UInt64>)
    func healed(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rig = try RecorderRig { $0.policy = .period(.seconds(20)) }
        let log = FrameLog(of: rig.hub)
        rig.begin()
        rig.play(.seconds(Int.random(in: 1...15, using: &random)))
        let lost = rig.lose(50)
        rig.play(.seconds(25))
        let healAt = Int.random(in: 0..<12, using: &random)
        var step = 0
        let read = try rig.read(rig.recorder.archive, from: 0) {
            if step == healAt { rig.find(lost) }
            // The answer may arrive before, between or after the steps of the healing.
            if step >= healAt { rig.pass() }
            step += 1
        }
        #expect(rig.healed.count == 1 && read == log.frames.filter { read.keys.contains($0.key) })
        #expect(read.keys.max() == Int64(read.count - 1) && read.count > 900)
        _ = rig.stop()
        #expect(try rig.read(rig.recorder.archive, from: 0) == log.frames)
    }

    @Test("An archive passes over a file that was removed")
    func missingFile() throws {
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        let log = FrameLog(of: rig.hub)
        rig.begin()
        let report = rig.stop(after: .seconds(20))
        #expect(report.files.count >= 4)
        let gone = report.segments[1].frames
        #expect(unlink(report.files[1]) == 0)
        let read = try rig.read(rig.recorder.archive, from: 0)
        #expect(read.count == log.frames.count - Int(gone))
        #expect(read.allSatisfy { log.frames[$0.key] == $0.value })
        for path in report.files where path != report.files[1] { #expect(unlink(path) == 0) }
        #expect(try rig.read(rig.recorder.archive, from: 0).isEmpty)
    }

    @Test("An archive can have several readers at once, and one may leave in the middle")
    func severalReaders() throws {
        let rig = try RecorderRig { $0.policy = .none }
        let log = FrameLog(of: rig.hub)
        rig.begin()
        _ = rig.stop(after: .seconds(60))
        let archive = rig.recorder.archive
        for _ in 0..<20 {
            let hasty = archive.makeReader(from: 2_000)
            hasty.read { _ in Issue.record("it has left") }
        }
        let second = archive.makeReader(from: 100)
        var chunk: Chunk??
        second.read { chunk = .some($0) }
        let isRight = try rig.read(archive, from: 0) == log.frames
        #expect(isRight)
        #expect((chunk ?? nil)?.position.frames == 100)
    }

    /// Compares the index with a list of (frame, file, place).
    @Test("The index of an archive is right for any cuts and gaps", arguments: 0..<40)
    func index(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var index = ArchiveIndex()
        var places: [Int64: ArchivePlace] = [:]
        var counts: [FileID: Int64] = [:]
        var (file, next) = (0, Int64.random(in: 0..<50, using: &random))
        for _ in 0..<Int.random(in: 1..<60, using: &random) {
            let id = FileID(client: 1, number: file)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: file += 1
            case 1: next += .random(in: 1..<9, using: &random)
            case 3:
                guard let healed = counts.keys.filter({ $0 != id }).randomElement(using: &random) else { continue }
                let place = Int64.random(in: 0...(counts[healed] ?? 0), using: &random)
                let count = Int64.random(in: 1..<9, using: &random)
                index.put(count, samples: count * 1_152, before: place, of: healed)
                counts[healed, default: 0] += count
                for (frame, old) in places where old.file == healed && old.index >= place {
                    places[frame]?.index += count
                }
            case 2:
                let kept = Int64.random(in: 0...(counts[id] ?? 0), using: &random)
                let rest = Bool.random(using: &random) ? FileID(client: 2, number: file) : nil
                index.cut(id, after: FileFacts(path: "", frames: kept, samples: kept * 1_152), rest: rest)
                for (frame, place) in places where place.file == id && place.index >= kept {
                    places[frame] = rest.map { ArchivePlace(file: $0, index: place.index - kept) }
                }
                // Nothing more is written into that file.
                file += 1
            default:
                let count = Int64.random(in: 1..<7, using: &random)
                let chunk = Self.chunk(from: next, count)
                index.append(chunk, to: id, behind: counts[id] ?? 0, samples: (counts[id] ?? 0) * 1_152)
                for offset in 0..<count {
                    places[next + offset] = ArchivePlace(file: id, index: (counts[id] ?? 0) + offset)
                }
                counts[id, default: 0] += count
                next += count
            }
        }
        for frame in -3..<next + 3 {
            let expected = places.keys.filter { $0 >= frame }.min()
            let run = index.run(from: frame)
            #expect(run?.start.frames == expected)
            guard let run, let expected else { continue }
            for offset in 0..<run.count {
                let place = ArchivePlace(file: run.file, index: run.index + offset)
                #expect(places[expected + offset] == place)
            }
            #expect(run.start.samples == expected * 1_152)
            #expect(run.start.samples + run.lead == run.index * 1_152)
        }
    }

    private static func chunk(from frame: Int64, _ count: Int64) -> Chunk {
        let slab = Slab(
            format: RecorderRig.format, capacity: Int(count),
            position: Position(frames: frame, samples: frame * 1_152))
        for _ in 0..<count {
            [UInt8(0)].withUnsafeBytes {
                _ = slab.append($0, FrameFacts(samples: 1_152))
            }
        }
        return Chunk(
            slab: slab, frames: 0..<slab.frameCount, bytes: 0..<slab.committed, position: slab.position,
            samples: slab.samples)
    }
}

private struct ArchivePlace: Hashable {
    var file: FileID
    var index: Int64
}

/// Frames by their numbers.
private typealias Frames = [Int64: [UInt8]]

extension Frames {
    fileprivate func isPrefix(of log: FrameLog) -> Bool {
        allSatisfy { log.frames[$0.key] == $0.value } && keys.max().map { $0 + 1 } == Int64(count)
    }

    fileprivate mutating func add(_ chunk: Chunk) {
        var number = chunk.position.frames
        chunk.slab.forEachFrame(chunk.frames) { bytes in
            self[number] = Array(bytes)
            number += 1
        }
    }
}

/// A sink that keeps all frames.
private final class FrameLog: StreamSink {
    private(set) var frames: Frames = [:]

    init(of hub: StreamHub) { hub.attach(self) }

    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        if case .chunk(let chunk) = event { frames.add(chunk) }
    }
}

extension RecorderRig {
    /// All frames that an archive has from a frame on. `asked` is called after each request.
    fileprivate func read(
        _ archive: any FrameArchive, from frame: Int64, asked: () -> Void = {}
    ) throws -> Frames {
        var frames: Frames = [:]
        guard let first = archive.firstFrame(from: frame) else { return frames }
        let reader = archive.makeReader(from: first)
        var isOver = false
        while !isOver {
            var answer: Chunk??
            reader.read { answer = .some($0) }
            asked()
            let deadline = MonotonicInstant.read() + .seconds(10)
            while answer == nil {
                reactor.settle()
                sched_yield()
                try #require(MonotonicInstant.read() < deadline)
            }
            if case .some(.some(let chunk)) = answer {
                // A frame that came twice would hide a loss.
                #expect(frames[chunk.position.frames] == nil)
                frames.add(chunk)
            } else {
                isOver = true
            }
        }
        return frames
    }
}
