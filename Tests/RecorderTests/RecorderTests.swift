// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import RadioCore

@Suite("Recorder")
struct RecorderTests {
    @Test("Every frame is recorded once, in order, in files that are cut at the period")
    func periods() throws {
        let rig = try RecorderRig(playing: .seconds(17)) { $0.policy = .period(.seconds(5)) }
        let report = rig.stop()
        #expect(report.files.count == 4)
        #expect(
            rig.names.filter { $0.hasSuffix(".mp3") } == [
                "FIP 2026-11-21 08-25-00+0000.mp3", "FIP 2026-11-21 08-25-05+0000.mp3",
                "FIP 2026-11-21 08-25-10+0000.mp3", "FIP 2026-11-21 08-25-15+0000.mp3",
            ])
        let audio = rig.names.filter { $0.hasSuffix(".mp3") }.flatMap { rig.audio($0) }
        #expect(audio == rig.fedBytes)
        #expect(report.frames == Int64(rig.fed) && report.bytes == Int64(rig.fedBytes.count))
        #expect(report.failure == nil)
        #expect(!rig.names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".tmp") })
    }

    @Test("A pure recording is the stream and nothing else")
    func pure() throws {
        let rig = try RecorderRig(playing: .seconds(7)) {
            $0.isPure = true
            $0.policy = .period(.seconds(5))
            $0.writesSidecars = false
        }
        _ = rig.stop()
        #expect(rig.names.count == 2)
        #expect(rig.names.flatMap { rig.folder.content(of: $0) ?? [] } == rig.fedBytes)
    }

    @Test("The head of a file is a tag of 2 KiB and an Info frame that counts the frames")
    func head() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        let report = rig.stop()
        let bytes = try #require(rig.names.first { $0.hasSuffix(".mp3") }.flatMap { rig.folder.content(of: $0) })
        let tag = try #require(ID3v2Tag(parsing: Array(bytes.prefix(2_048))))
        #expect(tag.text("TRSN") == "FIP")
        #expect(tag.text("TDRC") == "2026-11-21T08:25:00")
        #expect(tag.text("TLEN") == String(Int64((report.seconds * 1_000).rounded())))
        let info = Array(bytes[2_048...].prefix(200))
        #expect(info[36..<40].elementsEqual("Info".utf8))
        #expect(info[44..<48].reduce(0) { $0 << 8 | Int64($1) } == report.frames)
    }

    @Test("A sidecar has the format, the time, the titles and the neighbours of its file")
    func sidecars() throws {
        let rig = try RecorderRig(playing: .zero) { $0.policy = .period(.seconds(5)) }
        rig.hub.setTitle("Nina Simone - Sinnerman")
        rig.play(.seconds(2))
        rig.hub.setTitle("Moondog - Bird's Lament")
        let report = rig.stop(after: .seconds(6))
        let first = try #require(rig.sidecar("FIP 2026-11-21 08-25-00+0000.json"))
        #expect(first.state == .complete)
        #expect(first.recording == "rec-1" && first.number == 1 && first.station == "FIP")
        #expect(first.previous == nil && first.next == "FIP 2026-11-21 08-25-05+0000.mp3")
        #expect(first.at?.rfc3339 == "2026-11-21T08:25:00.000Z")
        #expect(first.titles.map(\.text) == ["Nina Simone - Sinnerman", "Moondog - Bird's Lament"])
        #expect(first.titles.map(\.position) == [0, 80] && first.frames == report.segments.first?.frames)
        let second = try #require(rig.sidecar("FIP 2026-11-21 08-25-05+0000.json"))
        #expect(second.previous == "FIP 2026-11-21 08-25-00+0000.mp3" && second.next == nil)
        #expect(second.titles.map(\.text) == ["Moondog - Bird's Lament"])
        #expect(report.titles.map(\.position) == [0, 80])
    }

    @Test("A file for each title has that title in its name and in its tags")
    func titles() throws {
        let name = try NameTemplate(parsing: "{sequence} {artist} - {title}")
        let rig = try RecorderRig(playing: .zero) {
            $0.policy = .title
            $0.name = name
        }
        for title in ["A - One", "B - Two", "C - Three"] {
            rig.hub.setTitle(title)
            rig.play(.seconds(3))
        }
        _ = rig.stop()
        #expect(
            rig.names.filter { $0.hasSuffix(".mp3") } == ["001 A - One.mp3", "002 B - Two.mp3", "003 C - Three.mp3"])
        #expect(
            ["001 A - One", "002 B - Two", "003 C - Three"].map { rig.sidecar("\($0).json")?.hasWholeSong } == [
                false, true, false,
            ])
        let tag = rig.folder.content(of: "002 B - Two.mp3").flatMap { ID3v2Tag(parsing: Array($0.prefix(2_048))) }
        #expect(tag?.title == "Two" && tag?.artist == "B")
        #expect(rig.names.filter { $0.hasSuffix(".mp3") }.flatMap { rig.audio($0) } == rig.fedBytes)
    }

    @Test("Without a template, songs are called after artist and title, and parts of songs say so")
    func songs() throws {
        let rig = try RecorderRig(playing: .zero) { $0.policy = .title }
        for title in ["A - One", "B - Two", "Three", "B - Two", "C/D - Four"] {
            rig.hub.setTitle(title)
            rig.play(.seconds(3))
        }
        let growing = rig.folder.names(in: "FIP").filter { $0.hasSuffix(".part") }
        #expect(growing == ["C-D - Four (incomplete).mp3.part"])
        let report = rig.stop()
        let names = ["A - One (incomplete)", "B - Two", "Three", "B - Two (2)", "C-D - Four (incomplete)"]
        #expect(report.files == names.map { "\(rig.folder.path)/FIP/\($0).mp3" })
        #expect(rig.folder.names(in: "FIP") == names.flatMap { ["\($0).json", "\($0).mp3"] }.sorted())
        let sidecars = names.map { rig.sidecar("FIP/\($0).json") }
        #expect(sidecars.map { $0?.hasWholeSong } == [false, true, true, true, false])
        #expect(sidecars.map { $0?.previous } == [nil] + names.dropLast().map { "\($0).mp3" })
        #expect(sidecars.map { $0?.next } == names.dropFirst().map { "\($0).mp3" } + [nil])
        let former = rig.notices.compactMap { notice -> String? in
            if case .finished(let segment, _) = notice { segment.formerPath } else { nil }
        }
        #expect(former.count == 3 && former.allSatisfy { $0.contains(" (incomplete)") })
    }

    @Test("A song with a gap is a part, also if only the disk refused some of it, and a template says nothing of it")
    func partsOfSongs() throws {
        var limits = WriterLimits()
        limits.clientAge = .seconds(1)
        let rig = try RecorderRig(playing: .zero, limits: limits) { $0.policy = .title }
        for title in ["A", "B", "C", "D"] {
            rig.hub.setTitle(title)
            if title == "C" {
                rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: .seconds(1), cause: "the server is away")))
                rig.settleAirTime()
            }
            rig.play(.seconds(2))
            if title == "B" {
                rig.isWriterHanging = true
                rig.play(.seconds(3))
                rig.isWriterHanging = false
                rig.play(.seconds(2))
            }
        }
        rig.hub.setTitle("E")
        let report = rig.stop(after: .seconds(2))
        #expect(report.gaps.count == 2)
        let audio = rig.folder.names(in: "FIP").filter { $0.hasSuffix(".mp3") }
        #expect(
            audio == [
                "A (incomplete).mp3", "B (incomplete).mp3", "C (incomplete).mp3", "D.mp3", "E (incomplete).mp3",
            ])
        #expect(rig.sidecar("FIP/B (incomplete).json")?.hasWholeSong == false)
    }

    @Test("A gap of the station is in the ledgers of file and recording, and costs no frame")
    func gap() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        let at = rig.reactor.wallNow
        rig.hub.report(.gap(Gap(at: at, length: .milliseconds(1_500), cause: "the server closed the connection")))
        rig.hub.setAirTime(AirTime(origin: at, sampleRate: 44_100, isSettled: true))
        let report = rig.stop(after: .seconds(2))
        #expect(report.gaps.map(\.milliseconds) == [1_500])
        #expect(report.gaps.map(\.position) == [80])
        let name = try #require(rig.names.first { $0.hasSuffix(".json") })
        #expect(rig.sidecar(name)?.gaps.map(\.json) == report.gaps.map(\.json))
        #expect(report.files.count == 1 && report.frames == Int64(rig.fed))
    }

    @Test("A gap that nothing follows is at the end of the last file")
    func gapAtTheEnd() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: nil, cause: "the server closed the connection")))
        rig.pass(.seconds(3))
        let report = rig.stop()
        #expect(report.gaps.map(\.position) == [report.frames])
        let name = try #require(rig.names.first { $0.hasSuffix(".json") })
        #expect(rig.sidecar(name)?.gaps.map(\.json) == report.gaps.map(\.json))
        #expect(rig.sidecar(name)?.state == .complete)
    }

    @Test("Audio that a full disk does not take at the end is a gap at the end of the last sidecar")
    func fullAtTheEnd() throws {
        let rig = try RecorderRig(playing: .seconds(5)) { $0.policy = .none }
        rig.system.setRoom(10_000)
        let report = rig.stop(after: .seconds(10))
        #expect(report.files.count == 1 && report.gaps.map(\.position) == [report.frames])
        #expect(report.titles.allSatisfy { $0.position <= report.frames })
        let lost = Int64(rig.fed) - report.frames
        #expect(report.gaps.first?.milliseconds.map { abs($0 - lost * 1_152 * 1_000 / 44_100) <= 1 } == true)
        let name = try #require(rig.names.first { $0.hasSuffix(".json") })
        #expect(rig.sidecar(name)?.gaps.map(\.json) == report.gaps.map(\.json))
    }

    @Test("A growing file's sidecar has a title after ten seconds, and its figures after ten minutes at the latest")
    func growingSidecar() throws {
        let rig = try RecorderRig(playing: .seconds(11)) { $0.policy = .none }
        let name = try #require(rig.names.first { $0.hasSuffix(".json") })
        func sidecar() throws -> (Sidecar, seconds: Double) {
            let sidecar = try #require(rig.sidecar(name))
            #expect(sidecar.state == .growing)
            return (sidecar, sidecar.format.seconds(of: sidecar.samples))
        }
        #expect(try sidecar().seconds == 0)
        rig.hub.setTitle("Ann - Song")
        rig.play(.seconds(10))
        let second = try sidecar()
        #expect(second.0.titles.map(\.text) == ["Ann - Song"] && (18...22).contains(second.seconds))
        rig.play(.seconds(580))
        #expect(try sidecar().seconds == second.seconds)
        rig.play(.seconds(30))
        #expect(try (610...632).contains(sidecar().seconds))
        _ = rig.stop()
    }

    @Test("A full disk costs nothing while the queue holds, and the rest goes into another file")
    func fullDisk() throws {
        let rig = try RecorderRig(playing: .seconds(5)) { $0.policy = .none }
        rig.system.setRoom(10_000)
        rig.play(.seconds(20))
        #expect(rig.notices.contains { if case .failing(let error) = $0 { error.code == .noSpace } else { false } })
        rig.system.setRoom(nil)
        rig.play(.seconds(5))
        #expect(rig.notices.contains { if case .resumed = $0 { true } else { false } })
        let report = rig.stop()
        #expect(report.files.count == 2 && report.gaps.isEmpty && report.failure == nil)
        #expect(report.files.flatMap { rig.audio(String($0.dropFirst(rig.folder.path.count + 1))) } == rig.fedBytes)
        let sidecars = rig.names.filter { $0.hasSuffix(".json") }.compactMap { rig.sidecar($0) }
        #expect(sidecars.map(\.state) == [.complete, .complete])
        #expect(sidecars.reduce(0) { $0 + $1.frames } == Int64(rig.fed))
        for (segment, sidecar) in zip(report.segments, sidecars) {
            #expect(segment.at.rfc3339 == sidecar.at?.rfc3339 && segment.frames == sidecar.frames)
        }
    }

    @Test("Audio that the queue cannot hold is a dated gap before the frame that follows it")
    func longFullDisk() throws {
        let rig = try RecorderRig(playing: .seconds(5)) { $0.policy = .none }
        rig.system.setRoom(0)
        rig.play(.seconds(90))
        rig.system.setRoom(nil)
        let report = rig.stop(after: .seconds(5))
        let gap = try #require(report.gaps.first)
        #expect(report.gaps.count == 1)
        #expect(gap.cause.contains("no space left"))
        let lost = Int64(rig.fed) - report.frames
        #expect((25...34).contains(RecorderRig.format.seconds(of: lost * 1_152)))
        #expect(gap.milliseconds.map { abs($0 - lost * 1_152 * 1_000 / 44_100) <= 1 } == true)
        let frames = report.files.flatMap { rig.audio(String($0.dropFirst(rig.folder.path.count + 1))) }
        let position = Int(gap.position) * 417
        var kept = rig.fedBytes
        kept.removeSubrange(position..<position + Int(lost) * 417)
        #expect(frames == kept)
    }

    @Test("A source that can wait is paused, and nothing of it is lost")
    func flow() throws {
        var limits = WriterLimits()
        limits.highWater = 100_000
        limits.lowWater = 50_000
        let rig = try RecorderRig(limits: limits) { $0.policy = .none }
        rig.begin(kind: .finite)
        rig.feed(300)
        #expect(rig.isPaused)
        rig.pass(.seconds(1))
        #expect(!rig.isPaused)
        let report = rig.stop()
        #expect(report.frames == 300)
    }

    @Test("D5: A source that can wait is paused before more files wait than a slow disk completes at a stop")
    func shortFiles() throws {
        let rig = try RecorderRig { $0.policy = .period(.seconds(1)) }
        rig.begin(kind: .finite)
        // The last time, the source turns out to be a file only after 600 frames.
        for late in [0, 0, 600] {
            let before = rig.fed
            rig.isWriterHanging = true
            while !rig.isPaused, rig.fed < before + 4_000 {
                rig.canPause = rig.fed - before >= late
                rig.feed(4)
            }
            #expect((max(300, late)...max(350, late + 4)).contains(rig.fed - before))
            rig.isWriterHanging = false
            rig.pass(.seconds(1))
            #expect(!rig.isPaused)
        }
        let report = rig.stop()
        #expect(report.frames == rig.fed && report.gaps.isEmpty && report.files.count > 20)
    }

    @Test("D5: A source that can wait is paused while the disk takes nothing, for whatever time, and loses nothing")
    func longPause() throws {
        let rig = try RecorderRig { $0.policy = .none }
        rig.begin(kind: .finite)
        rig.system.setFault { call, _ in ["writev", "create"].contains(call) ? 28 : nil }
        for _ in 0..<300 {
            if !rig.isPaused { rig.feed(38) }
            rig.pass(.seconds(1))
        }
        #expect(rig.isPaused)
        rig.system.setFault { _, _ in nil }
        rig.pass(.seconds(3))
        #expect(!rig.isPaused)
        let report = rig.stop(after: .seconds(1))
        #expect(report.frames == rig.fed && report.gaps.isEmpty)
    }

    @Test("D5: A disk that hangs is reported, also if the source is paused meanwhile")
    func pausedHang() throws {
        let rig = try RecorderRig { $0.policy = .period(.seconds(1)) }
        rig.begin(kind: .finite)
        rig.isWriterHanging = true
        while !rig.isPaused, rig.fed < 4_000 { rig.feed(4) }
        rig.pass(.seconds(25))
        let failures = rig.notices.compactMap { if case .failing(let error) = $0 { error.code } else { nil } }
        #expect(failures == [.notAnswering])
        rig.isWriterHanging = false
        rig.pass(.seconds(7))
        #expect(!rig.isPaused && rig.stop().gaps.isEmpty)
    }

    @Test("A stop with a disk that takes nothing ends within eight seconds and reports what was lost")
    func stopWithoutDisk() throws {
        let rig = try RecorderRig(playing: .seconds(5)) { $0.policy = .none }
        rig.system.setFault { call, _ in ["writev", "create"].contains(call) ? 5 : nil }
        rig.play(.seconds(5))
        let before = rig.reactor.now
        let report = rig.stop()
        #expect(rig.reactor.now - before <= .seconds(8))
        #expect(report.failure?.failureClass == .storage)
        #expect((115...240).contains(report.frames))
        #expect(report.gaps.count == 1)
        #expect(
            report.frames + Int64(report.gaps.reduce(0) { $0 + ($1.milliseconds ?? 0) }) * 44_100 / 1_000 / 1_152
                >= Int64(rig.fed) - 1)
    }

    @Test("A file that an earlier run left is completed and reported")
    func recovery() throws {
        let folder = try TemporaryFolder()
        do {
            _ = try RecorderRig(playing: .seconds(10), folder: folder) { $0.policy = .none }
        }
        #expect(folder.names().contains("FIP 2026-11-21 08-25-00+0000.mp3.part"))
        let rig = try RecorderRig(folder: folder)
        rig.pass(.seconds(1))
        #expect(folder.names() == ["FIP 2026-11-21 08-25-00+0000.json", "FIP 2026-11-21 08-25-00+0000.mp3"])
        let sidecar = try #require(rig.sidecar("FIP 2026-11-21 08-25-00+0000.json"))
        #expect(sidecar.state == .interrupted && sidecar.recording == "rec-1")
        #expect((340...390).contains(sidecar.frames))
        let report = rig.stop()
        #expect(report.recovered.map(\.outcome) == [.completed])
    }

    @Test("A stop with a disk that hangs in a call ends within eight seconds, without the writer")
    func stopWithHangingDisk() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        rig.isWriterHanging = true
        rig.play(.seconds(3))
        let before = rig.reactor.now
        let report = rig.stop()
        #expect(rig.reactor.now - before <= .milliseconds(7_600))
        #expect(report.failure?.message.contains("does not answer") == true)
        rig.isWriterHanging = false
    }

    @Test("A folder in which nothing can be created is reported at once, and again by the report")
    func noFolder() throws {
        let rig = try RecorderRig { $0.policy = .none }
        rig.system.setFault { call, _ in call == "create" ? 13 : nil }
        rig.begin()
        rig.play(.seconds(1))
        guard case .failing(let error) = rig.notices.first else { throw SetupError("\(rig.notices)") }
        #expect(error.message.hasSuffix(".mp3.part: permission denied"))
        let report = rig.stop()
        #expect(report.frames == 0 && report.failure?.failureClass == .storage)
    }

    @Test("An output folder that is not a folder is reported before the first frame")
    func outputIsFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("rec", "no folder")
        let rig = try RecorderRig(folder: folder, subfolder: "/rec")
        rig.pass()
        guard case .failing(let error) = rig.notices.first else { throw SetupError("\(rig.notices)") }
        #expect(error.message == "cannot use the folder \(folder.path)/rec: not a folder")
        _ = rig.stop()
    }

    @Test("Another format begins another file, whatever the policy")
    func formats() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        var mono = RecorderRig.format
        mono.channels = 1
        rig.hub.begin(mono)
        rig.hub.setAirTime(AirTime(origin: rig.reactor.wallNow, sampleRate: 44_100, isSettled: true))
        let report = rig.stop(after: .seconds(2))
        #expect(report.files.count == 2 && report.frames == Int64(rig.fed))
    }

    @Test("Files go into the folders of the template, and neighbours are named across folders")
    func nestedNames() throws {
        let name = try NameTemplate(parsing: "%M/%S/{station}")
        let rig = try RecorderRig(playing: .seconds(6)) {
            $0.policy = .period(.seconds(5))
            $0.name = name
        }
        let report = rig.stop()
        #expect(
            report.files.map { String($0.dropFirst(rig.folder.path.count + 1)) } == ["25/00/FIP.mp3", "25/05/FIP.mp3"])
        #expect(rig.sidecar("25/00/FIP.json")?.next == "../05/FIP.mp3")
        #expect(rig.sidecar("25/05/FIP.json")?.previous == "../00/FIP.mp3")
    }
}
