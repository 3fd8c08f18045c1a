// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import Platform
import RadioFormats
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import RadioCore
@testable import Recorder

/// Audio that is found later than it could be delivered, and the files of a recording, which get it.
@Suite("Healing of a running recording")
struct RecordingHealingTests {
    private static let settings = [
        FileSetting(), FileSetting(writesSidecars: false), FileSetting(isPure: true, writesSidecars: false),
        FileSetting(hasFolder: true, hasCompanions: true), FileSetting(format: FileSetting.opus),
        FileSetting(format: RecorderRig.flac), FileSetting(writesSidecars: false, format: FileSetting.opus),
        FileSetting(errors: ["rename": EINVAL, "exchange": EINVAL, "copy": EXDEV]),
    ]

    private static func rig(
        _ setting: FileSetting, folder: TemporaryFolder? = nil, period: Duration? = nil
    ) throws -> RecorderRig {
        let name = try NameTemplate(parsing: "\(setting.prefix)\(NameTemplate.standard.text)")
        let rig = try RecorderRig(folder: folder) {
            $0.policy = period.map { .period($0) } ?? .none
            $0.name = name
            $0.isPure = setting.isPure
            $0.writesSidecars = setting.writesSidecars
            $0.stationID = setting.hasCompanions ? "fip" : nil
        }
        rig.system.setErrors(setting.errors)
        rig.begin(setting.format)
        return rig
    }

    @Test("Found audio is put into the middle of a file before it is called finished", arguments: settings)
    func middle(_ setting: FileSetting) throws {
        let rig = try Self.rig(setting)
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(2))
        rig.find(lost)
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, setting)
        #expect(report.frames == Int64(rig.fed) && report.gaps.isEmpty && report.healed.map(\.frames) == [50])
        #expect(rig.healed.map(\.rest) == [0] && rig.healed.first?.audio.by == "a second connection")
        #expect(rig.finished.count == 1 && rig.revised.isEmpty, "it is told once, as it is in the end")
        #expect(report.failure == nil && report.hasSidecars == setting.writesSidecars)
    }

    @Test("A title that changed within found audio begins there, and not where the station told it again")
    func titles() throws {
        let rig = try Self.rig(FileSetting())
        rig.hub.setTitle("A")
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(1))
        rig.hub.setTitle("B")
        rig.play(.seconds(1))
        rig.hub.setTitle("C")
        rig.play(.seconds(1))
        var found = lost.found(0..<50, left: 0, RecorderRig.format)
        found.titles = [(0, "A"), (20, "B")]
        rig.tell(.found(found))
        let titles = rig.stop(after: .seconds(1)).titles
        #expect(titles.map(\.text) == ["A", "B", "C"] && titles[1].position == lost.before + 20)
        #expect(rig.sidecars.map { $0.titles.map(\.json) } == [titles.map(\.json)])
    }

    @Test("A gap that got its length after audio was found for it keeps what is left of that")
    func laterLength() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(100)
        rig.play(.seconds(1))
        var found = lost.found(0..<30, left: 70, RecorderRig.format)
        found.rest = nil
        rig.tell(.found(found))
        let report = rig.stop(after: .seconds(1))
        #expect(report.healed.map(\.frames) == [30] && report.gaps.map(\.milliseconds) == [1_828])
    }

    @Test("Of audio that is found in parts, each part is put in, and what is missing stays told")
    func parts() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(100)
        rig.play(.seconds(1))
        rig.find(lost, 0..<30)
        rig.find(lost, 80..<100, left: 50)
        var report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting(), fed: rig.fed - 50)
        #expect(report.gaps.map(\.milliseconds) == [1_306] && report.frames == Int64(rig.fed - 50))
        #expect(report.gaps.map(\.position) == report.healed.prefix(1).map { $0.position + 30 })

        let other = try Self.rig(FileSetting())
        other.play(.seconds(2))
        let all = other.lose(100)
        other.play(.seconds(1))
        other.find(all, 60..<100)
        other.find(all, 0..<60, left: 0)
        report = other.stop(after: .seconds(1))
        try other.checkBooks(report, FileSetting())
        #expect(report.gaps.isEmpty && report.frames == Int64(other.fed))
    }

    @Test("A gap over the beginning of a file is closed in that file, which begins earlier then")
    func beginning() throws {
        let rig = try Self.rig(FileSetting(), period: .seconds(5))
        rig.play(.seconds(4))
        let lost = rig.lose(75)
        rig.play(.seconds(2))
        let begun = try #require(rig.sidecars.last)
        #expect(begun.gaps.map(\.position) == [0])
        rig.find(lost)
        let report = rig.stop(after: .seconds(7))
        try rig.checkBooks(report, FileSetting())
        let healed = try #require(rig.sidecars.first { $0.number == begun.number })
        let (before, after) = (try #require(begun.at).instant, try #require(healed.at).instant)
        #expect(abs((before - after - lost.length).wholeMilliseconds) <= 1 && report.gaps.isEmpty)
        #expect(report.segments.map { $0.at.rfc3339 } == rig.sidecars.map { $0.at?.rfc3339 })
        let joins = zip(report.segments, report.segments.dropFirst())
        #expect(joins.allSatisfy { abs(($1.at.instant - $0.end).wholeMilliseconds) <= 30 }, "no frame has two times")
    }

    @Test("Audio that is found as the recording ends is put at its end")
    func end() throws {
        for isWhole in [true, false] {
            let rig = try Self.rig(FileSetting())
            rig.play(.seconds(2))
            let lost = rig.lose(40)
            rig.find(lost, 0..<(isWhole ? 40 : 25))
            let report = rig.stop()
            try rig.checkBooks(report, FileSetting(), fed: isWhole ? rig.fed : rig.fed - 15)
            #expect(report.gaps.count == (isWhole ? 0 : 1) && report.openGaps.count == report.gaps.count)
            #expect(report.healed.map(\.frames) == [isWhole ? 40 : 25])
        }
    }

    @Test("A file that is complete already is healed, and told of as changed, not as finished again")
    func complete() throws {
        let rig = try Self.rig(FileSetting(), period: .seconds(5))
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(9))
        #expect(rig.finished.count == 2)
        rig.find(lost)
        rig.pass(.seconds(1))
        let revised = try #require(rig.revised.first)
        #expect(revised.1.isRevised && revised.1.path == rig.finished.first?.1.path && rig.finished.count == 2)
        #expect(rig.sidecars.first?.revision == 1 && rig.sidecars.first?.frames == revised.0.frames)
        let report = rig.stop(after: .seconds(6))
        try rig.checkBooks(report, FileSetting())
        #expect(report.gaps.isEmpty && report.frames == Int64(rig.fed) && rig.revised.count == 1)
    }

    @Test("A recording's books agree with its files whatever is found, and when", arguments: 0..<40 as Range<UInt64>)
    func books(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let setting = Self.settings.randomElement(using: &random) ?? FileSetting()
        let period: Duration? = Bool.random(using: &random) ? .seconds(5) : nil
        let rig = try Self.rig(setting, period: period)
        var known: [(lost: LostFrames, rest: Range<Int>)] = []
        rig.play(.milliseconds(Int.random(in: 100...3_000, using: &random)))
        for step in 0..<12 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let lost = rig.lose(Int.random(in: 1...80, using: &random))
                known.append((lost, lost.frames.indices))
                rig.play(.milliseconds(100))
            case 1, 2:
                guard let index = known.indices.randomElement(using: &random) else { continue }
                let (lost, rest) = known[index]
                guard !rest.isEmpty else { continue }
                let count = Int.random(in: 1...rest.count, using: &random)
                let part =
                    Bool.random(using: &random)
                    ? rest.lowerBound..<rest.lowerBound + count : rest.upperBound - count..<rest.upperBound
                known[index].rest =
                    part.lowerBound == rest.lowerBound
                    ? part.upperBound..<rest.upperBound : rest.lowerBound..<part.lowerBound
                rig.find(lost, part, in: rest)
            default: rig.hub.setTitle("Song \(step)")
            }
            rig.play(.milliseconds(Int.random(in: 100...2_000, using: &random)))
        }
        let report = rig.stop()
        try rig.checkBooks(report, setting, fed: rig.fed - known.reduce(0) { $0 + $1.rest.count })
        #expect(report.gaps.count == known.count { !$0.rest.isEmpty })
    }

    @Test("While the disk is full, a gap stays told; it is closed when there is room, if its file is still known")
    func fullDisk() throws {
        let rig = try Self.rig(FileSetting(), period: .seconds(5))
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(9))
        rig.system.setErrors(["writev": ENOSPC, "copy": ENOSPC])
        rig.find(lost)
        rig.play(.seconds(2))
        #expect(rig.healed.isEmpty && rig.notHealed.map(\.code) == [.noSpace] && rig.sidecars.first?.revision == 0)
        rig.system.setErrors([:])
        rig.play(.seconds(3))
        #expect(rig.healed.count == 1 && rig.sidecars.first?.revision == 1)
        let report = rig.stop()
        try rig.checkBooks(report, FileSetting())
        #expect(report.gaps.isEmpty && report.frames == Int64(rig.fed))
    }

    @Test("While another process has a complete file, audio waits for the end of a later file")
    func heldFile() throws {
        let rig = try Self.rig(FileSetting(), period: .seconds(5))
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(9))
        let other = open(rig.folder.file(rig.names.sorted().first { $0.hasSuffix(".mp3") } ?? ""), O_RDONLY)
        defer { close(other) }
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        rig.find(lost)
        rig.play(.seconds(2))
        #expect(rig.healed.isEmpty && rig.notHealed.isEmpty)
        flock(other, LOCK_UN)
        rig.play(.seconds(5))
        #expect(rig.healed.count == 1 && rig.sidecars.first?.revision == 1)
        try rig.checkBooks(rig.stop(), FileSetting())
    }

    @Test("If there is no time at the end, a file stays as it is, its gap stays told, and nothing is lost")
    func noTime() throws {
        let jobs = Monitor<[@Sendable () -> Void]>([])
        let system = FaultySystem()
        let healing = HealingThread(system: system) { job in
            jobs.withLock { $0.append(job) }
            return true
        }
        let rig = try RecorderRig(playing: .seconds(2), system: system, healing: healing) { $0.policy = .none }
        let lost = rig.lose(50)
        rig.play(.seconds(2))
        rig.find(lost)
        let report = rig.stop()
        try rig.checkBooks(report, FileSetting(), fed: rig.fed - 50)
        #expect(report.gaps.count == 1 && report.files.count == 1 && rig.finished.count == 1 && rig.healed.isEmpty)
        let before = rig.folder.content(of: try #require(rig.names.first { $0.hasSuffix(".mp3") }))
        // The thread comes to it after all.
        for job in jobs.withLock({ $0 }) { job() }
        #expect(rig.folder.content(of: try #require(rig.names.first { $0.hasSuffix(".mp3") })) == before)
    }

    @Test("An hour of a gap and 16 MiB of a recording in memory are kept, and no more")
    func limits() throws {
        let lost = LostFrames(before: 9, frames: [[1], [2]], samples: 1, length: .seconds(3_700))
        let large = LostFrames(
            before: 1, frames: [[UInt8](repeating: 1, count: 9 << 20)], samples: 1, length: .seconds(3_000))
        let much = large.found(0..<1, left: 0, RecorderRig.format)
        var odd = LostFrames(before: 9, frames: [[1]], samples: 1, length: .seconds(1))
            .found(0..<1, left: 0, RecorderRig.format)
        odd.bytes = []
        let (whole, part, rest) = (
            lost.found(0..<2, left: 0, RecorderRig.format), lost.found(0..<1, left: 1, RecorderRig.format),
            lost.found(1..<2, left: 0, RecorderRig.format)
        )
        var waiting = WaitingAudio()
        // The gap has its hour with the second of these, and the recording its bytes with the fourth.
        let isKept = [whole, part, rest, much, much, odd].map { waiting.add($0) }
        #expect(isKept == [false, true, false, true, false, false])
    }

    @Test("Pieces that follow each other are put in as one, whatever is found for other gaps between them")
    func joined() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let one = rig.lose(90)
        rig.play(.seconds(1))
        let other = rig.lose(20)
        rig.play(.seconds(1))
        rig.find(one, 0..<30)
        rig.find(other, 0..<10)
        rig.find(one, 30..<60, in: 30..<90)
        rig.find(other, 10..<20, in: 10..<20)
        rig.find(one, 60..<90, in: 60..<90)
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting())
        #expect(report.healed.map(\.frames) == [90, 20] && report.gaps.isEmpty)
    }

    @Test("What was kept is put in if a gap has more than can be kept, and the rest of the gap stays told")
    func longGap() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(80)
        rig.play(.seconds(1))
        rig.find(lost, 0..<50)
        let room = lost.frames[..<60].reduce(0) { $0 + $1.count }
        let large = LostFrames(
            before: 1 << 40, frames: [[UInt8](repeating: 1, count: WaitingAudio.mostBytes - room)], samples: 1,
            length: .seconds(1))
        rig.find(large)
        rig.find(lost, 50..<79, in: 50..<80)
        rig.find(lost, 79..<80, in: 79..<80)
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting(), fed: rig.fed - 30)
        #expect(report.gaps.count == 1 && report.healed.map(\.frames) == [50])
    }

    @Test("What is on the disk leaves memory, and comes back in the order of its frames, joined where it goes on")
    func memory() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(1))
        let id = try #require(rig.recorder.recorded(from: 0)?.file)
        let frame = [UInt8](repeating: 7, count: 512 << 10)
        let lost = LostFrames(
            before: 9, frames: Array(repeating: frame, count: 80), samples: 1, length: .seconds(3_000))
        var (waiting, end, most) = (WaitingAudio(), Int64(0), 0)
        for place in Array(0..<40) + (40..<80).reversed() {
            var found = lost.found(place..<place + 1, left: 9, RecorderRig.format)
            (found.continuesBefore, found.isContinuedAfter) = (place < 40, place >= 40)
            let isKept = waiting.add(found)
            #expect(isKept)
            waiting.save { audio, _ in
                defer { end += Int64(audio.bytes.count) }
                return SavedAudio.Copy(beside: id, end..<end + Int64(audio.bytes.count))
            }
            most = max(most, waiting.bytes)
            waiting.copied(end - Int64(frame.count)..<end, of: id)
        }
        #expect(most <= WaitingAudio.mostCopied + frame.count && waiting.bytes <= WaitingAudio.mostCopied)
        let taken = waiting.take { $0.before == 9 }
        let places = taken.map { $0.parts.compactMap { $0.copy.map { Int($0.range.lowerBound) / frame.count } } }
        #expect(places == [Array(0..<40), (40..<80).reversed()])
    }

    @Test(
        "Much audio that is found for one gap waits on the disk, from either end, and is put in at once",
        arguments: [FileSetting(), FileSetting(writesSidecars: false), FileSetting(format: RecorderRig.flac)],
        [false, true])
    func much(_ setting: FileSetting, isBackward: Bool) throws {
        let rig = try Self.rig(setting)
        rig.play(.seconds(2))
        let lost = rig.lose(6_000)
        rig.play(.seconds(1))
        rig.findAll(lost, isBackward: isBackward)
        #expect(rig.names.contains { $0.hasSuffix(".found") })
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, setting)
        #expect(report.gaps.isEmpty && report.healed.map(\.frames) == [6_000] && rig.notHealed.isEmpty)
        #expect(!rig.names.contains { $0.hasSuffix(".found") })
    }

    @Test("After a kill, recovery puts much audio in at once, or leaves it", arguments: [false, true])
    func muchKilled(isBackward: Bool) throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(6_000)
        rig.play(.seconds(2))
        rig.findAll(lost, isBackward: isBackward)
        rig.system.kill(at: rig.system.log.count)
        _ = rig.stop()
        let (name, frames) = try Self.recover(rig, FileSetting())
        #expect(frames.count > 6_080 && frames == Array(rig.fedFrames.prefix(frames.count)))
        let sidecar = try #require(Library(path: rig.folder.path).segment(at: [name])?.sidecar)
        #expect(sidecar.gaps.isEmpty && sidecar.healed.map(\.frames) == [6_000])
    }

    @Test("If somebody removes or changes the copies of what waits, nothing of it is put in, and the gap stays told")
    func copiesGone() throws {
        for isChanged in [false, true] {
            let rig = try Self.rig(FileSetting())
            rig.play(.seconds(2))
            let lost = rig.lose(6_000)
            rig.play(.seconds(1))
            rig.findAll(lost, isBackward: false)
            let name = try #require(rig.names.first { $0.hasSuffix(".found") })
            if isChanged {
                var bytes = try rig.folder.read(name)
                bytes[bytes.count / 4] ^= 1
                try rig.folder.write(name, bytes)
            } else {
                try #require(unlink(rig.folder.file(name)) == 0)
            }
            let report = rig.stop(after: .seconds(1))
            try rig.checkBooks(report, FileSetting(), fed: rig.fed - 6_000)
            #expect(report.gaps.count == 1 && report.healed.isEmpty)
        }
    }

    @Test("What was kept for a gap is put in although more was found than is kept")
    func tooMuch() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(80)
        rig.play(.seconds(1))
        rig.find(lost, 0..<30, in: 0..<80)
        var more = lost.found(30..<60, left: 20, RecorderRig.format)
        more.length = .seconds(3_601)
        rig.tell(.found(more))
        rig.find(lost, 60..<80, in: 60..<80)
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting(), fed: rig.fed - 50)
        #expect(report.gaps.map(\.milliseconds) == [1_306] && report.healed.map(\.frames) == [30])
    }

    @Test("Audio that is left out leaves its gap told, whatever is found for that gap later")
    func leftOut() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        // What waits already, for a gap that is not known yet.
        let large = LostFrames(
            before: 1 << 40, frames: [[UInt8](repeating: 1, count: 16 << 20)], samples: 1, length: .seconds(1))
        rig.find(large)
        let lost = rig.lose(80)
        rig.play(.seconds(1))
        rig.find(lost, 0..<77)
        rig.find(LostFrames(before: lost.before, frames: [], samples: 1, length: .zero))
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting(), fed: rig.fed - 80)
        #expect(report.gaps.map(\.milliseconds) == [2_090] && report.healed.isEmpty)
    }

    @Test("Where a second file has no room, the audio waits for the end of a later file, and no recovery takes it")
    func laterRoom() throws {
        let rig = try Self.rig(FileSetting(), period: .seconds(5))
        rig.play(.seconds(2))
        rig.system.setErrors(["copy": ENOSPC])
        rig.find(rig.lose(50))
        rig.play(.seconds(700))
        let other = try RecorderRig(folder: rig.folder)
        other.pass(.seconds(1))
        _ = other.stop()
        #expect(rig.healed.isEmpty && rig.sidecars.first?.gaps.count == 1)
        #expect(rig.names.contains { $0.hasSuffix(".found") })
        rig.system.setErrors([:])
        rig.play(.seconds(6))
        #expect(rig.healed.count == 1 && rig.sidecars.first?.gaps.isEmpty == true)
        try rig.checkBooks(rig.stop(), FileSetting())
    }

    @Test("The copy of audio that waits moves to the second file if the disk cuts a file before its gap")
    func cut() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        rig.system.setErrors(["writev": EIO])
        let lost = rig.lose(50)
        rig.feed(4)
        rig.find(lost)
        rig.play(.seconds(4))
        rig.system.setErrors([:])
        rig.play(.seconds(3))
        let names = rig.names
        #expect(names.count { $0.hasSuffix(".part") } == 1 && names.count { $0.hasSuffix(".found") } == 1, "\(names)")
        let report = rig.stop(after: .seconds(1))
        try rig.checkBooks(report, FileSetting())
        #expect(report.segments.count == 2 && report.gaps.isEmpty && report.healed.count == 1)
    }

    @Test("A gap in which nothing is missing after all is withdrawn, and the file stays as it is")
    func nothingMissing() throws {
        for isComplete in [false, true] {
            let rig = try Self.rig(FileSetting(), period: .seconds(5))
            rig.play(.seconds(2))
            let lost = rig.lose(0)
            rig.play(.seconds(isComplete ? 9 : 1))
            rig.find(lost)
            rig.play(.seconds(1))
            let report = rig.stop()
            try rig.checkBooks(report, FileSetting())
            #expect(report.gaps.isEmpty && report.healed.isEmpty && rig.sidecars.allSatisfy { $0.gaps.isEmpty })
        }
    }

    @Test("Audio without a gap of its own, and audio beside which the disk has lost more, is left out")
    func noPlace() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        rig.system.setRoom(0)
        rig.play(.seconds(80))
        let lost = rig.lose(50)
        rig.play(.seconds(2))
        rig.system.setRoom(nil)
        rig.play(.seconds(2))
        rig.find(lost)
        rig.find(LostFrames(before: 20, frames: lost.frames, samples: 1_152, length: lost.length))
        let report = rig.stop()
        #expect(report.healed.isEmpty && rig.healed.isEmpty && rig.notHealed.isEmpty)
    }

    @Test(
        "A kill at any call of a healing leaves the old file or the new one, and a sidecar that agrees",
        arguments: [FileSetting(), FileSetting(format: FileSetting.opus), settings[7]])
    func kills(_ setting: FileSetting) throws {
        var (number, revisions) = (1, Set<Int64>())
        while true {
            let folder = try TemporaryFolder()
            let killed = try Self.healing(setting, in: folder, killedAt: number)
            let later = try RecorderRig(folder: folder)
            later.pass(.seconds(1))
            _ = later.stop()
            let library = Library(path: folder.path)
            let first = try #require(try library.page(atMost: 9).segments.min { $0.base < $1.base })
            let sidecar = try #require(first.sidecar)
            #expect(try library.check(first)?.flaws(of: first) == [], "call \(number)")
            #expect(sidecar.gaps.count == (sidecar.revision == 1 ? 0 : 1) && sidecar.healing == nil)
            let frames = setting.frames(of: folder.content(of: try #require(first.fileName)) ?? [])
            let expected = sidecar.revision == 1 ? killed.fed : killed.fed.filter { !killed.lost.contains($0) }
            let isRight = frames == Array(expected.prefix(Int(sidecar.frames)))
            #expect(isRight, "call \(number)")
            #expect(folder.names().allSatisfy { !$0.hasPrefix(".") }, "call \(number): \(folder.names())")
            revisions.insert(sidecar.revision)
            guard killed.isDead else { break }
            number += 1
        }
        #expect(number > 15 && revisions == [0, 1])
    }

    @Test(
        "Found audio that waits for the end of its file survives a kill at any call, once and at its place",
        arguments: [
            FileSetting(), FileSetting(isPure: true, writesSidecars: false), FileSetting(format: FileSetting.opus),
            FileSetting(format: RecorderRig.flac), settings[7],
        ])
    func killedWaiting(_ setting: FileSetting) throws {
        var (number, complete) = (0, 0)
        while true {
            let folder = try TemporaryFolder()
            let rig = try Self.rig(setting, folder: folder)
            rig.play(.seconds(2))
            let lost = rig.lose(50)
            rig.play(.seconds(2))
            // Both ends of the gap, in two pieces, and then what was between them.
            rig.find(lost, 0..<20, in: 0..<50)
            rig.find(lost, 35..<50, in: 20..<50)
            rig.pass(.milliseconds(10))
            #expect(rig.names.contains { $0.hasSuffix(".found") })
            rig.system.kill(at: rig.system.log.count + number)
            rig.find(lost, 20..<35, in: 20..<35)
            rig.play(.milliseconds(500))
            _ = rig.stop()
            let isDead = rig.system.isDead
            if isDead {
                // A recovery that dies as well leaves the rest to the next one.
                for death in [40 + number % 60, Int.max] {
                    let later = try RecorderRig(folder: folder)
                    later.system.kill(at: death)
                    later.pass(.seconds(1))
                    _ = later.stop()
                }
            }
            let what = "call \(number): \(rig.system.log.last ?? ""), \(folder.names()), \(rig.healed.count)"
            #expect(folder.names().allSatisfy { !$0.hasPrefix(".") && !$0.hasSuffix(".found") }, "\(what)")
            let file = try #require(folder.names().first { !$0.hasSuffix(".json") && !$0.hasSuffix(".index") })
            let frames = setting.frames(of: folder.content(of: file) ?? [])
            let middle = Set(lost.frames[20..<35])
            let isWhole = !middle.isDisjoint(with: frames)
            let fed = rig.fedFrames.filter { isWhole || !middle.contains($0) }
            // Without a sidecar, nothing says where the gap is once the file is complete.
            let isRight =
                setting.writesSidecars
                ? frames == Array(fed.prefix(frames.count)) && frames.contains(lost.frames[49])
                : frames == rig.fedFrames.filter(Set(frames).contains)
            #expect(isRight, "\(what)")
            complete += isWhole ? 1 : 0
            if setting.writesSidecars {
                let sidecar = try #require(Library(path: folder.path).segment(at: [file])?.sidecar)
                #expect(sidecar.gaps.isEmpty == isWhole && sidecar.healing == nil, "\(what)")
            }
            guard isDead else { break }
            number += 1
        }
        #expect(number > 15 && complete > 1)
    }

    @Test("Pieces that were put in as one, and leave a gap, are in the file once after a kill at any call")
    func killedJoined() throws {
        var number = 0
        while true {
            let folder = try TemporaryFolder()
            let rig = try Self.rig(FileSetting(), folder: folder)
            rig.play(.seconds(2))
            let lost = rig.lose(50)
            rig.play(.seconds(2))
            rig.find(lost, 0..<20, in: 0..<50)
            rig.find(lost, 20..<35, in: 20..<50)
            rig.pass(.milliseconds(10))
            rig.system.kill(at: rig.system.log.count + number)
            _ = rig.stop()
            if rig.system.isDead { _ = try Self.recover(rig, FileSetting()) }
            let name = try #require(folder.names().first { $0.hasSuffix(".mp3") })
            let frames = FileSetting().frames(of: folder.content(of: name) ?? [])
            let fed = rig.fedFrames.filter { !lost.frames[35...].contains($0) }
            let sidecar = try #require(Library(path: folder.path).segment(at: [name])?.sidecar)
            let isRight =
                frames == Array(fed.prefix(frames.count)) && frames.count > lost.frames.count
                && sidecar.healed.map(\.frames) == [35] && sidecar.gaps.count == 1
            #expect(isRight, "call \(number): \(rig.system.log.last ?? ""), \(frames.count) of \(fed.count)")
            guard rig.system.isDead else { break }
            number += 1
        }
        #expect(number > 15)
    }

    @Test("What recovery puts into a file is told as its change, so that programs run once; a blank copy is removed")
    func recovered() throws {
        let rig = try Self.rig(FileSetting())
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(2))
        rig.find(lost, 0..<20, in: 0..<50)
        rig.find(lost, 20..<50, in: 20..<50)
        rig.pass(.milliseconds(10))
        rig.system.kill(at: rig.system.log.count)
        _ = rig.stop()
        let later = try RecorderRig(folder: rig.folder)
        later.pass(.seconds(1))
        let bundles = later.notices.compactMap { if case .recovered(let file) = $0 { file.bundle } else { nil } }
        #expect(bundles.map(\.isRevised) == [false, true] && bundles.map(\.sidecar.gaps.count) == [1, 0])
        #expect(later.stop().recovered.count == 1)

        let file = try #require(rig.names.first { $0.hasSuffix(".mp3") })
        _ = try rig.folder.write(String(file.dropLast(3)) + "found", [0, 0, 0])
        let last = try RecorderRig(folder: rig.folder)
        last.pass(.seconds(1))
        #expect(last.stop().recovered.isEmpty && rig.names.allSatisfy { !$0.hasSuffix(".found") })
    }

    /// Has a complete file healed, and kills the process at one of its calls.
    /// A recorder that was killed while what was found for its file, but not for `gaps` of it, lay beside it.
    private static func killed(_ setting: FileSetting, gaps: Int = 0) throws -> (rig: RecorderRig, part: String) {
        let rig = try rig(setting)
        for _ in 0..<gaps {
            rig.play(.seconds(1))
            _ = rig.lose(10)
        }
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(2))
        rig.find(lost)
        rig.pass(.milliseconds(10))
        rig.system.kill(at: rig.system.log.count)
        _ = rig.stop()
        return (rig, try #require(rig.names.first { $0.hasSuffix(".part") }))
    }

    /// Recovers the files of a folder. Returns the frames of the audio that it has then.
    private static func recover(_ rig: RecorderRig, _ setting: FileSetting) throws -> (String, [[UInt8]]) {
        let later = try RecorderRig(folder: rig.folder) { $0.writesSidecars = setting.writesSidecars }
        later.pass(.seconds(1))
        _ = later.stop()
        let name = try #require(rig.names.first { $0.hasSuffix(".mp3") })
        return (name, setting.frames(of: rig.folder.content(of: name) ?? []))
    }

    @Test("Without sidecars, a growing file says where what was found for it belongs", arguments: [0, 30])
    func withoutSidecar(gaps: Int) throws {
        let setting = FileSetting(writesSidecars: false)
        let rig = try Self.killed(setting, gaps: gaps).rig
        #expect(rig.names.contains { $0.hasSuffix(".json") } == (gaps > 0), "a mark has room for few gaps")
        let (name, frames) = try Self.recover(rig, setting)
        let all = rig.fedFrames.prefix(frames.count + 10 * gaps)
        #expect(frames.count > 130 && frames.suffix(130) == all.suffix(130) && all.count - frames.count == 10 * gaps)
        #expect(rig.names == [name])
    }

    @Test("Recovery puts nothing behind frames that are damaged, because it cannot count these")
    func damaged() throws {
        let setting = FileSetting(isPure: true)
        let (rig, part) = try Self.killed(setting)
        var bytes = try rig.folder.read(part)
        bytes[rig.fedFrames[..<20].joined().count] = 0
        try rig.folder.write(part, bytes)
        let (name, frames) = try Self.recover(rig, setting)
        let sidecar = try #require(Library(path: rig.folder.path).segment(at: [name])?.sidecar)
        #expect(sidecar.gaps.count == 1 && sidecar.healed.isEmpty && sidecar.frames == Int64(frames.count))
        #expect(!rig.names.contains { $0.hasSuffix(".found") })
    }

    @Test("What was found is put in if its file's sidecar is foreign, and stays while the sidecar cannot be read")
    func otherSidecar() throws {
        let (rig, part) = try Self.killed(FileSetting())
        let base = String(part.dropLast(9))
        try rig.folder.write("\(base).json", [2])
        let (name, frames) = try Self.recover(rig, FileSetting())
        #expect(frames.count > 130 && frames == Array(rig.fedFrames.prefix(frames.count)))
        #expect(rig.folder.content(of: "\(base).json") == [2] && name == "\(base) (2).mp3")

        try rig.folder.write("x.mp3", rig.folder.read(name))
        try rig.folder.write("x.json", Array("{".utf8))
        try rig.folder.write("x.found", Companion.found.mark + [1])
        _ = try Self.recover(rig, FileSetting())
        #expect(rig.names.contains("x.found"))
    }

    @Test("An error of the disk at any call of recovery leaves what was found to the next one")
    func errorOfRecovery() throws {
        for number in 1... {
            let (rig, _) = try Self.killed(FileSetting())
            let first = try RecorderRig(folder: rig.folder)
            first.system.setFault { $1 == number ? EIO : nil }
            first.pass(.seconds(1))
            _ = first.stop()
            let (_, frames) = try Self.recover(rig, FileSetting())
            let what = "call \(number): \(first.system.log.dropFirst(number - 1).first ?? "none"), \(rig.names)"
            #expect(frames.count > 130 && frames == Array(rig.fedFrames.prefix(frames.count)), "\(what)")
            guard first.system.log.count >= number else { return #expect(number > 80) }
        }
    }

    private static func healing(
        _ setting: FileSetting, in folder: TemporaryFolder, killedAt number: Int
    ) throws -> (fed: [[UInt8]], lost: [[UInt8]], isDead: Bool) {
        let rig = try rig(setting, folder: folder, period: .seconds(5))
        rig.play(.seconds(2))
        let lost = rig.lose(50)
        rig.play(.seconds(4))
        let fed = rig.fedFrames
        rig.system.kill(at: rig.system.log.count + number)
        rig.find(lost)
        rig.pass()
        return (fed, lost.frames, rig.system.isDead)
    }
}

extension RecorderRig {
    var healed: [HealedAudio] { notices.compactMap { if case .healed(let healed) = $0 { healed } else { nil } } }
    var notHealed: [StorageError] { notices.compactMap { if case .notHealed(let error) = $0 { error } else { nil } } }
    var finished: [(RecordedSegment, FinishedBundle)] {
        notices.compactMap { if case .finished(let segment, let bundle) = $0 { (segment, bundle) } else { nil } }
    }
    var revised: [(RecordedSegment, FinishedBundle)] {
        notices.compactMap { if case .revised(let segment, let bundle) = $0 { (segment, bundle) } else { nil } }
    }

    /// Tells of a part of what is still missing of lost frames: its beginning or its end.
    func find(_ lost: LostFrames, _ part: Range<Int>, in rest: Range<Int>) {
        var found = lost.found(part, left: rest.count - part.count, hub.ring.format ?? Self.format)
        found.continuesBefore = part.lowerBound == rest.lowerBound
        found.isContinuedAfter = part.upperBound == rest.upperBound
        tell(.found(found))
    }

    /// Tells of lost frames in parts of a hundred, one after the other, from one end.
    func findAll(_ lost: LostFrames, isBackward: Bool) {
        var rest = lost.frames.indices
        while !rest.isEmpty {
            let count = min(100, rest.count)
            let part = isBackward ? rest.suffix(count) : rest.prefix(count)
            find(lost, part, in: rest)
            rest = isBackward ? rest.dropLast(count) : rest.dropFirst(count)
            pass(.milliseconds(10))
        }
    }

    /// Compares the report, the sidecars and the frames in the files: every frame once and in order, each gap where
    /// frames are missing, and nowhere else. `fed`: how many frames the files are to have; by default all of them.
    func checkBooks(_ report: RecordingReport, _ setting: FileSetting, fed expected: Int? = nil) throws {
        let numbers = Dictionary(uniqueKeysWithValues: zip(fedFrames, 0..<fed))
        let library = Library(path: folder.path)
        var (first, last) = (0, -1)
        var breaks: [Int64] = []
        for segment in report.segments {
            let path = String(segment.path.dropFirst(folder.path.count + 1))
            let frames = setting.frames(of: folder.content(of: path) ?? [])
            #expect(Int64(frames.count) == segment.frames && frames.count > 0, "\(path)")
            var inside: [Int64] = []
            for (index, frame) in frames.enumerated() {
                let number = try #require(numbers[frame], "\(path) has a frame that was not sent")
                #expect(number > last, "\(path): frame \(number) after \(last)")
                if number != last + 1 { inside.append(Int64(index)) }
                last = number
            }
            breaks += inside.map { $0 + Int64(first) }
            first += frames.count
            guard setting.writesSidecars else { continue }
            let found = try #require(library.segment(at: path.split(separator: "/").map(String.init)))
            let sidecar = try #require(found.sidecar)
            #expect(sidecar.frames == segment.frames && sidecar.bytes == segment.bytes && sidecar.healing == nil)
            #expect(sidecar.gaps.map(\.position).filter { $0 < sidecar.frames } == inside, "\(path)")
            #expect(try library.check(found)?.flaws(of: found) == [], "\(path)")
            let range = Int64(first - frames.count)..<Int64(first)
            let titles = report.titles.map(\.position).filter(range.contains).map { $0 - range.lowerBound }
            #expect(sidecar.titles.map(\.position).suffix(titles.count) == titles[...])
            let healed = report.healed.map(\.position).filter(range.contains).map { $0 - range.lowerBound }
            #expect(sidecar.healed.map(\.position) == healed)
            #expect(sidecar.revision == Int64(sidecar.healed.count))
        }
        #expect(first == expected ?? fed && report.frames == Int64(first))
        #expect(report.gaps.map(\.position).filter { $0 < first } == breaks)
        #expect(abs(report.seconds - report.segments.reduce(0) { $0 + $1.seconds }) < 0.01)
    }
}
