// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

/// What people and disks do to files during a recording, and what the recorder reports about it.
@Suite("Trouble with files")
struct DiskTroubleTests {
    private func part(_ rig: RecorderRig) throws -> String {
        try #require(rig.names.first { $0.hasSuffix(".part") })
    }

    @Test("A file that somebody removes is one gap before the file that continues, and not an error")
    func removedFile() throws {
        let rig = try RecorderRig(playing: .seconds(10)) { $0.policy = .none }
        unlink(rig.folder.file(try part(rig)))
        let report = rig.stop(after: .seconds(20))
        #expect(report.failure == nil && report.files.count == 1)
        let gap = try #require(report.gaps.first)
        let lost = Int64(rig.fed) - report.frames
        #expect(report.gaps.count == 1 && gap.position == 0 && lost >= 382)
        #expect(gap.milliseconds.map { abs($0 - lost * 1_152_000 / 44_100) <= 1 } == true)
        #expect(gap.cause.hasSuffix(".mp3.part: it or its folder does not exist"))
        let name = try #require(rig.names.first { $0.hasSuffix(".mp3") })
        #expect(rig.audio(name) == Array(rig.fedBytes.suffix(Int(report.frames) * 417)))
        #expect(rig.sidecar(String(name.dropLast(4)) + ".json")?.gaps == report.gaps)
        #expect(rig.names.count == 2, "\(rig.names)")
        #expect(!rig.notices.contains { if case .failing = $0 { true } else { false } })
    }

    @Test("A file that is removed right before the end is a gap at the end, and an error")
    func removedAtTheEnd() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        unlink(rig.folder.file(try part(rig)))
        let report = rig.stop()
        #expect(report.failure?.failureClass == .storage && report.frames == 0 && report.files.isEmpty)
        #expect(report.gaps.count == 1 && report.gaps.first?.milliseconds == Int64(rig.fed) * 1_152_000 / 44_100)
        #expect(rig.names == [])
    }

    @Test("A file that cannot be completed is reported, and does not fail the recording if later files can")
    func healed() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        rig.system.setFault { call, _ in call == "sync" ? EIO : nil }
        rig.play(.seconds(3))
        rig.system.setFault { _, _ in nil }
        let report = rig.stop(after: .seconds(8))
        #expect(report.failure == nil && report.segments.map(\.isComplete) == [false, true])
        #expect(report.files[0].hasSuffix(".mp3.part") && !report.files[0].hasSuffix(".part.part"))
        #expect(report.gaps.isEmpty && report.frames == Int64(rig.fed))
        let said = rig.notices.compactMap { if case .leftBehind(let path, _) = $0 { path } else { nil } }
        #expect(said == [report.files[0]])
    }

    @Test("A file after a cut has tags of its own", arguments: [false, true])
    func tags(isOgg: Bool) throws {
        let rig = try RecorderRig { $0.policy = .none }
        rig.begin(isOgg ? FileSetting.opus : RecorderRig.format)
        rig.play(.seconds(3))
        rig.fillDisk(from: .seconds(1), to: .seconds(8))
        let report = rig.stop(after: .seconds(16))
        #expect(report.files.count == 2 && report.frames == Int64(rig.fed))
        for path in report.files {
            let name = String(try #require(path.split(separator: "/").last))
            let bytes = try rig.folder.read(name)
            let title = String(name.prefix { $0 != "." })
            if isOgg {
                #expect(bytes.prefix(2_000).contains(Array("TITLE=\(title)".utf8)), "\(name)")
                let said = FramerTranscript(of: [bytes[...]], by: OggFramer())
                #expect(said.skipped(.damaged) == 0, "damaged pages in \(name)")
            } else {
                let tag = try #require(ID3v2Tag(parsing: Array(bytes.prefix(4_096))))
                #expect(tag.title == title, "\(name)")
                #expect(tag.text("TDRC").map { name.contains($0.suffix(8).replacing(":", with: "-")) } == true)
            }
        }
    }

    @Test("A file whose folder is renamed is reported at its new place")
    func renamedFolder() throws {
        let rig = try RecorderRig(playing: .seconds(3), subfolder: "/rec") { $0.policy = .none }
        rename(rig.folder.file("rec"), rig.folder.file("old"))
        let report = rig.stop(after: .seconds(3))
        #expect(report.files == [rig.folder.file("old/FIP 2026-11-21 08-25-00+0000.mp3")])
        #expect(rig.folder.names(in: "old").count == 2 && rig.names == ["old"])
    }

    @Test("The report on a disk that hangs at the end tells what it has taken and what it has not")
    func hangingDisk() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        rig.pass(.seconds(1))
        let written = rig.fed
        rig.isWriterHanging = true
        let report = rig.stop(after: .seconds(3))
        #expect(report.frames == Int64(written) && report.bytes == report.frames * 417)
        #expect(report.segments.map(\.isComplete) == [false] && report.files[0].hasSuffix("+0000.mp3.part"))
        let gap = try #require(report.gaps.first)
        #expect(report.gaps.count == 1 && gap.position == report.frames)
        #expect(gap.milliseconds.map { abs($0 - Int64(rig.fed - written) * 1_152_000 / 44_100) <= 1 } == true)
        rig.isWriterHanging = false
    }

    @Test("A disk that hangs is reported after a while, and nothing that the queue holds is lost")
    func stalledDisk() throws {
        let rig = try RecorderRig { $0.policy = .none }
        func told() -> [String] {
            rig.notices.compactMap { notice in
                switch notice {
                case .failing(let error): error.code == .notAnswering ? "stalled" : "failing"
                case .resumed: "resumed"
                case .lost: "lost"
                default: nil
                }
            }
        }
        rig.begin()
        rig.play(.seconds(3))
        rig.isWriterHanging = true
        rig.play(.seconds(14))
        #expect(told() == [])
        rig.play(.seconds(30))
        #expect(told() == ["stalled"])
        rig.isWriterHanging = false
        rig.play(.seconds(1))
        #expect(told() == ["stalled", "resumed"])
        let report = rig.stop(after: .seconds(60))
        #expect(told() == ["stalled", "resumed"])
        #expect(report.gaps.isEmpty && report.failure == nil && report.frames == Int64(rig.fed))
    }

    @Test("A gap is in the sidecar as soon as it is known")
    func gapAtOnce() throws {
        let rig = try RecorderRig(playing: .seconds(10)) { $0.policy = .none }
        let name = String(try part(rig).dropLast(9)) + ".json"
        for second in 1...3 {
            rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: .seconds(second), cause: "test")))
            rig.play(.milliseconds(500))
        }
        rig.pass(.seconds(1))
        #expect(rig.sidecar(name)?.gaps.map(\.milliseconds) == [1_000, 2_000, 3_000])
        // A station that breaks off again and again does not cause endless writes of the sidecar.
        #expect(rig.system.log.count { $0 == "replace" } <= 3)
        _ = rig.stop()
    }

    @Test("I9: A gap before a file is in the sidecar with which the file begins")
    func gapAtFirst() throws {
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        func lose(_ length: Duration) {
            rig.pass(length)
            rig.hub.report(.gap(Gap(at: rig.reactor.wallNow - length, length: length, cause: "test")))
            rig.settleAirTime()
        }
        rig.begin()
        rig.play(.milliseconds(4_300))
        // A sidecar that has just been rewritten is not rewritten again within a second.
        lose(.milliseconds(300))
        rig.play(.milliseconds(200))
        lose(.milliseconds(400))
        rig.feed(4)
        rig.pass(.milliseconds(10))
        let name = try #require(rig.names.last { $0.hasSuffix(".json") })
        let sidecar = try #require(rig.sidecar(name))
        #expect(sidecar.number == 2 && sidecar.gaps.map(\.milliseconds) == [400])
        _ = rig.stop()
    }

    @Test("A disk that is full across cuts has each loss in the sidecar of the last file that it took")
    func fullAtCuts() throws {
        let rig = try RecorderRig(playing: .seconds(7)) { $0.policy = .period(.seconds(3)) }
        rig.system.setRoom(0)
        let report = rig.stop(after: .seconds(14))
        let lost = report.gaps.compactMap(\.milliseconds).reduce(0, +)
        #expect(abs(lost - (Int64(rig.fed) - report.frames) * 1_152_000 / 44_100) <= Int64(report.gaps.count))
        #expect(report.gaps.count > 1 && lost > 10_000)
        let times = report.gaps.map(\.at.instant)
        #expect(times == times.sorted())
        let last = try #require(rig.names.last { $0.hasSuffix(".json") })
        let sidecar = try #require(rig.sidecar(last))
        #expect(sidecar.gaps.map(\.milliseconds) == report.gaps.map(\.milliseconds))
        #expect(sidecar.gaps.allSatisfy { $0.position == sidecar.frames })
    }

    @Test("An outage while the disk is full divides the loss: gaps do not overlap, and their sum is what is missing")
    func outageOnFullDisk() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        let kept = rig.reactor.wallNow
        rig.system.setRoom(0)
        for _ in 0..<2 {
            rig.play(.seconds(5))
            let left = rig.reactor.wallNow
            rig.pass(.seconds(10))
            rig.settleAirTime()
            rig.hub.report(.gap(Gap(at: left, length: .seconds(10), cause: "the station was away")))
        }
        let report = rig.stop(after: .seconds(5))
        let full = "no space left on the disk"
        #expect(report.gaps.map { $0.cause.hasSuffix(full) } == [true, false, true, false, true])
        var end = kept
        for gap in report.gaps {
            #expect(abs(gap.at.instant.nanoseconds - end.nanoseconds) < 200_000_000, "\(report.gaps)")
            end = gap.at.instant + .milliseconds(gap.milliseconds ?? 0)
        }
        #expect(abs((end - kept) / .seconds(1) - 35) < 0.3, "\(report.gaps)")
        let lost = rig.notices.compactMap { if case .lost(let gap) = $0 { gap } else { nil } }
        #expect(lost == report.gaps.filter { $0.cause.hasSuffix(full) })
    }

    @Test("A hurried stop ends within its shorter time")
    func hurry() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .none }
        rig.isWriterHanging = true
        var report: RecordingReport?
        rig.recorder.stop(patience: .seconds(60)) { report = $0 }
        rig.pass(.seconds(20))
        #expect(report == nil)
        rig.recorder.hurry(.seconds(7))
        rig.pass(.seconds(8))
        #expect(report?.failure?.failureClass == .storage)
        rig.isWriterHanging = false
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
