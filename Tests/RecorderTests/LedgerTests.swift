// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

/// Gaps, splices and foreign spans: in the report, and in the sidecar of each file in which they lie.
@Suite("Ledger")
struct LedgerTests {
    @Test("A splice is in the ledgers of file and recording, and is not a gap")
    func splice() throws {
        let rig = try RecorderRig(playing: .seconds(6)) { $0.policy = .period(.seconds(5)) }
        rig.splice()
        let report = rig.stop(after: .seconds(2))
        #expect(report.files.count == 2 && report.gaps.isEmpty && report.frames == Int64(rig.fed))
        let splice = try #require(report.splices.first)
        #expect(report.splices.count == 1 && splice.position == rig.position(after: .seconds(6)))
        #expect(
            splice.json
                == [
                    "at": .string("2026-11-21T08:25:06.060Z"), "dropped_frames": .integer(153),
                    "by": .string("match"), "position": .integer(splice.position),
                ])
        #expect(rig.sidecars.map(\.splices.count) == [0, 1])
        #expect(rig.sidecars.last?.splices.first?.position == splice.position - rig.sidecars[0].frames)
    }

    @Test("A gap that is told again, because it proves to be shorter, is in the sidecar once")
    func toldAgain() throws {
        let rig = try RecorderRig(playing: .seconds(6)) { $0.policy = .period(.seconds(5)) }
        let place = rig.breakOff(cause: "a short one")
        rig.play(.seconds(6))
        rig.hub.report(Gap(at: rig.reactor.wallNow, length: .milliseconds(800), cause: "a short one"), before: place)
        rig.settleAirTime()
        let report = rig.stop(after: .seconds(2))
        #expect(report.gaps.map(\.milliseconds) == [800] && report.gaps.first?.position == place.frames)
        #expect(rig.sidecars.flatMap(\.gaps).map(\.milliseconds) == [800])
    }

    @Test(
        "A59: A hole that is told late moves the times of titles and files behind it, also of complete ones",
        arguments: [true, false])
    func timesBehindHole(isNoted: Bool) throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .period(.seconds(5)) }
        let place = rig.hub.position
        // Frames may show at once that audio is missing, but not how much.
        if isNoted { rig.hub.report(.gap(.inside(at: rig.reactor.wallNow, length: nil))) }
        rig.settleAirTime()
        rig.pass(.seconds(4))
        rig.hub.setTitle("Song")
        rig.play(.seconds(7.5))
        #expect(rig.sidecars.count == 3)
        let began = RecorderRig.start + .samples(place.samples, at: 44_100)
        rig.hub.report(.inside(at: began, length: .seconds(4)), before: place)
        rig.settleAirTime()
        let report = rig.stop(after: .seconds(1))
        #expect(report.titles.first.map { abs(($0.at.instant - began).inSeconds - 4) < 0.01 } == true)
        let late = rig.sidecars.map { $0.at.map { ($0.instant - RecorderRig.start).inSeconds } ?? 0 }
        #expect(late.count == 4 && zip(late, [0, 9, 14, 15]).allSatisfy { abs($0 - $1) < 0.2 }, "\(late)")
    }

    @Test("I22: A hole that is told once the next song has begun is the song's before it", arguments: [true, false])
    func songBeforeHole(isBetween: Bool) throws {
        let rig = try RecorderRig(playing: .zero) { $0.policy = .title }
        var place = Position()
        for title in ["A", "B", "C", "D"] {
            if title == "C", !isBetween { rig.play(.seconds(0.5)) }
            rig.hub.setTitle(title)
            rig.play(.seconds(2))
            if title == "B" { place = rig.hub.position }
            guard title == "C" else { continue }
            rig.hub.report(Gap(at: rig.reactor.wallNow, length: .seconds(4), cause: "a hole"), before: place)
            rig.settleAirTime()
        }
        _ = rig.stop()
        let songs = rig.folder.names(in: "FIP").filter { $0.hasSuffix(".json") }.map { rig.sidecar("FIP/\($0)") }
        #expect(songs.map { $0?.hasWholeSong } == [false, false, !isBetween, false], "\(songs)")
        #expect(songs.map { $0?.gaps.count } == (isBetween ? [0, 0, 1, 0] : [0, 1, 0, 0]))
    }

    @Test("A title that is on air when a new file begins has the time at which it began, so that it can be told apart")
    func carriedTitle() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .period(.seconds(5)) }
        rig.hub.setTitle("Long Song")
        let report = rig.stop(after: .seconds(9))
        let titles = rig.sidecars.map { $0.titles.map(\.at.rfc3339) }
        #expect(report.titles.count == 1 && titles == Array(repeating: report.titles.map(\.at.rfc3339), count: 3))
        #expect(rig.sidecars.map { $0.titles.map(\.position) } == [[80], [0], [0]])
    }

    @Test("A gap before the recording's first frame is entered late, and only in the first file")
    func gapBefore() throws {
        let rig = try RecorderRig(playing: .seconds(7)) {
            $0.policy = .period(.seconds(5))
            $0.continues = "rec-0"
        }
        let gap = Gap(at: RecorderRig.start - .seconds(24), length: .seconds(24), cause: "Aircheck was not running")
        rig.recorder.note(missingBefore: gap)
        rig.play(.seconds(1))
        #expect(rig.sidecars.map { $0.gaps.map(\.position) } == [[0], []])
        #expect(rig.sidecars.map(\.continues) == ["rec-0", nil])
        let report = rig.stop()
        #expect(report.gaps.map(\.milliseconds) == [24_000] && report.length < .seconds(9))
        let lost = rig.notices.compactMap { if case .missingBefore(let gap) = $0 { gap.cause } else { nil } }
        #expect(lost == ["Aircheck was not running"])
    }

    @Test("A foreign span removes the gap before it, and says which frames can be left out")
    func foreign() throws {
        let span = try foreignSpan(then: .seconds(2))
        #expect(span.frames == 116 && abs(span.milliseconds - 3_030) <= 1)
    }

    @Test("A foreign span that is reported while its frames wait for air time finds them and their gap")
    func heldBack() throws {
        _ = try foreignSpan(then: .seconds(2)) { $0.titleOffset = .seconds(-10) }
    }

    @Test("A foreign span that is reported at the very end is in the last file")
    func foreignAtTheEnd() throws {
        _ = try foreignSpan(then: .zero)
    }

    /// Records two seconds of programme and three seconds of an advert, reports the advert, and records the rest.
    /// Returns the only span of the report and of the sidecar.
    private func foreignSpan(
        then rest: Duration, _ change: (inout RecorderSettings) -> Void = { _ in }
    ) throws -> Sidecar.Stretch {
        let rig = try RecorderRig(playing: .seconds(2)) {
            $0.policy = .none
            change(&$0)
        }
        let start = rig.breakOff()
        rig.play(.seconds(3))
        rig.tell(from: start)
        rig.play(rest)
        let report = rig.stop()
        #expect(report.gaps.isEmpty && report.files.count == 1 && report.stretches[.foreign].count == 1)
        let span = try #require(report.stretches[.foreign].first)
        #expect(span.position == start.frames)
        #expect(rig.sidecars.map { $0.foreign.map(\.json) } == [[span.json]] && rig.sidecars.map(\.gaps) == [[]])
        return span
    }

    @Test("A foreign span that crosses files gives each file its part, even complete files")
    func foreignAcrossFiles() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .period(.seconds(5)) }
        let start = rig.breakOff()
        rig.play(.seconds(13))
        #expect(rig.sidecars.map(\.gaps.count) == [1, 0, 0, 0])
        rig.tell(from: start)
        let report = rig.stop(after: .seconds(1))
        #expect(report.gaps.isEmpty && report.stretches[.foreign].count == 1)
        let sidecars = rig.sidecars
        #expect(sidecars.map(\.gaps.count) == [0, 0, 0, 0])
        #expect(sidecars.map(\.foreign.count) == [1, 1, 1, 1])
        let parts = sidecars.flatMap(\.foreign)
        #expect(parts.map(\.position) == [start.frames, 0, 0, 0])
        #expect(
            parts.map(\.frames).dropLast() == [
                sidecars[0].frames - start.frames, sidecars[1].frames, sidecars[2].frames,
            ])
        #expect(parts.reduce(0) { $0 + $1.frames } == report.stretches[.foreign][0].frames)
        #expect(abs(parts.reduce(0) { $0 + $1.milliseconds } - report.stretches[.foreign][0].milliseconds) <= 3)
        #expect(parts.dropFirst().map(\.at) == sidecars.dropFirst().map(\.at))
        #expect(sidecars.map(\.state) == [.complete, .complete, .complete, .complete])
    }

    @Test("C16: A repeated stretch is in each of its files, and the gap before it stays")
    func repeated() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .period(.seconds(5)) }
        let start = rig.breakOff()
        rig.play(.seconds(4))
        rig.tell(.repeated, from: start)
        let report = rig.stop(after: .seconds(1))
        let stretch = try #require(report.stretches[.repeated].first)
        #expect(report.gaps.count == 1 && report.stretches[.repeated].count == 1 && report.stretches[.foreign].isEmpty)
        #expect(stretch.position == start.frames && abs(stretch.milliseconds - 4_000) < 100)
        #expect(rig.sidecars.map(\.gaps.count) == [1, 0] && rig.sidecars.map(\.repeated.count) == [1, 1])
        #expect(rig.sidecars.flatMap(\.repeated).reduce(0) { $0 + $1.frames } == stretch.frames)
    }

    @Test("C21: Gaps inside a foreign span and at its end are removed, and a gap before it stays")
    func gapsAround() throws {
        let rig = try RecorderRig(playing: .seconds(1)) { $0.policy = .none }
        _ = rig.breakOff(cause: "a real one")
        rig.play(.seconds(1))
        let start = rig.breakOff()
        rig.play(.seconds(1))
        _ = rig.breakOff()
        rig.play(.seconds(1))
        _ = rig.breakOff()
        rig.tell(from: start)
        let report = rig.stop(after: .seconds(1))
        #expect(report.gaps.map(\.cause) == ["a real one"])
        #expect(rig.sidecars.map { $0.gaps.map(\.cause) } == [["a real one"]])
        #expect(report.stretches[.foreign].map(\.frames) == [Int64(2 * 40)])
    }

    @Test("Positions are right after audio that the disk did not take, before and inside a foreign span")
    func losses() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        rig.system.setRoom(0)
        rig.play(.seconds(80))
        rig.system.setRoom(nil)
        rig.play(.seconds(2))
        rig.splice()
        rig.play(.seconds(2))
        let start = rig.breakOff()
        rig.play(.seconds(2))
        rig.tell(from: start)
        let report = rig.stop(after: .seconds(2))
        #expect(report.gaps.count == 1 && report.splices.count == 1 && report.stretches[.foreign].count == 1)
        let audio = report.files.flatMap { rig.audio(String($0.dropFirst(rig.folder.path.count + 1))) }
        let number = { (position: Int64) in
            audio[Int(position) * 417..<Int(position + 1) * 417].suffix(8).reduce(0) { $0 << 8 | Int64($1) }
        }
        #expect(report.stretches[.foreign].map { number($0.position) } == [start.frames])
        #expect(report.stretches[.foreign].map { number($0.position + $0.frames) } == [start.frames + 80])
        #expect(report.splices.map { number($0.position) } == [start.frames - 80])
        // Each file has its own entries, at their places in that file.
        let sidecars = rig.sidecars.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        var first: Int64 = 0
        for sidecar in sidecars {
            let inside = first..<first + sidecar.frames
            #expect(
                sidecar.splices.map { $0.position + first }
                    == report.splices.map(\.position).filter { inside.contains($0) })
            #expect(
                sidecar.foreign.map { $0.position + first }
                    == report.stretches[.foreign].map(\.position).filter { inside.contains($0) })
            first += sidecar.frames
        }
        #expect(sidecars.dropFirst().allSatisfy { $0.began == .storage })
    }

    @Test("Ledger entries of audio that a broken disk never took are dropped, and spans end with the audio")
    func neverWritten() throws {
        let rig = try RecorderRig(playing: .seconds(5)) { $0.policy = .none }
        rig.system.setFault { call, _ in ["writev", "create"].contains(call) ? 5 : nil }
        let first = rig.breakOff()
        rig.play(.seconds(2))
        rig.splice()
        let second = rig.breakOff()
        rig.play(.seconds(1))
        rig.tell(from: first)
        rig.play(.seconds(1))
        rig.tell(from: second)
        let report = rig.stop()
        #expect(report.failure?.failureClass == .storage && report.frames < Int64(rig.fed))
        #expect(report.splices.allSatisfy { $0.position <= report.frames })
        #expect(report.stretches[.foreign].allSatisfy { $0.frames > 0 && $0.range.upperBound <= report.frames })
    }

    @Test("Everything that is known about a gap is in the report and in the sidecar")
    func overlap() throws {
        let rig = try RecorderRig { $0.policy = .none }
        playOverlap(rig)
        let report = rig.stop()
        try expectOverlap(report.gaps)
        try expectOverlap(try #require(rig.sidecars.first).gaps)
        #expect(rig.sidecars.map(\.state) == [.complete])
    }

    @Test("Everything that is known about a gap is in a growing file's sidecar, and survives the next start")
    func overlapAfterRestart() throws {
        let folder = try TemporaryFolder()
        try playOverlapAndDie(in: folder)
        let next = try RecorderRig(folder: folder)
        next.pass(.seconds(1))
        #expect(next.sidecars.map(\.state) == [.interrupted])
        try expectOverlap(try #require(next.sidecars.first).gaps)
    }

    /// Plays two seconds of the programme, then ten seconds of another encoder, which repeats earlier audio.
    private func playOverlap(_ rig: RecorderRig) {
        rig.begin()
        rig.play(.seconds(2))
        var gap = Gap(at: rig.reactor.wallNow, length: .zero, cause: "the server closed the connection")
        (gap.overlap, gap.repeats) = (.milliseconds(120), .seconds(84))
        rig.hub.report(.gap(gap))
        rig.settleAirTime()
        rig.play(.seconds(10))
    }

    /// The process dies with its recorder, so no file is completed.
    private func playOverlapAndDie(in folder: TemporaryFolder) throws {
        let rig = try RecorderRig(folder: folder) { $0.policy = .none }
        playOverlap(rig)
        #expect(rig.sidecars.map(\.state) == [.growing])
        try expectOverlap(try #require(rig.sidecars.first).gaps)
    }

    private func expectOverlap(_ gaps: [Sidecar.Gap], at location: SourceLocation = #_sourceLocation) throws {
        let gap = try #require(gaps.first, sourceLocation: location)
        #expect(gaps.count == 1, sourceLocation: location)
        let json = gap.json
        #expect(json["overlap_seconds"] == .number(0.12), "\(json)", sourceLocation: location)
        #expect(json["repeats_after_seconds"] == .number(84), "\(json)", sourceLocation: location)
    }

    @Test("A gap about which nothing more is known has no fields beyond its length")
    func plainGap() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        _ = rig.breakOff()
        rig.play(.seconds(2))
        let gap = try #require(rig.stop().gaps.first)
        for name in ["overlap_seconds", "repeats_after_seconds", "trimmed_frames", "by"] {
            #expect(gap.json[name] == nil)
        }
    }

    @Test("A sidecar says why its file begins")
    func began() throws {
        let rig = try RecorderRig(playing: .seconds(6)) { $0.policy = .period(.seconds(5)) }
        _ = rig.stop()
        #expect(rig.sidecars.map(\.began) == [.start, .period])
    }

    @Test("A sidecar has the drift of the station's clock once that is known")
    func drift() throws {
        let rig = try RecorderRig(playing: .seconds(6)) { $0.policy = .period(.seconds(5)) }
        rig.settleAirTime(drift: 41.26)
        _ = rig.stop(after: .seconds(2))
        #expect(rig.sidecars.map(\.clockDrift) == [nil, 41.3])
    }

    @Test("A sidecar is the same after it was written and read")
    func roundTrip() throws {
        let rig = try RecorderRig(playing: .zero) { $0.policy = .none }
        rig.hub.setTitle("One")
        rig.play(.seconds(2))
        _ = rig.breakOff(cause: "a real one")
        rig.play(.seconds(1))
        rig.splice()
        let start = rig.breakOff()
        rig.play(.seconds(1))
        rig.tell(from: start)
        rig.settleAirTime(drift: -41.3)
        _ = rig.stop(after: .seconds(1))
        let sidecar = try #require(rig.sidecars.first)
        #expect(sidecar.gaps.count == 1 && sidecar.splices.count == 1)
        #expect(sidecar.foreign.count == 1 && sidecar.titles.count == 1)
        #expect(Sidecar(parsing: sidecar.encoded) == sidecar)
    }
}

extension Sidecar.Stretch {
    fileprivate var range: Range<Int64> { position..<position + frames }
}

extension RecorderRig {
    /// All sidecars, by name.
    var sidecars: [Sidecar] { names.filter { $0.hasSuffix(".json") }.compactMap { sidecar($0) } }

    /// A new connection continues where the old one stopped.
    fileprivate func splice(unheard: Int64 = 0) {
        var splice = Splice(position: hub.position, at: reactor.wallNow, droppedFrames: 153, method: .match)
        splice.unheardFrames = unheard
        tell(.splice(splice))
    }

    /// A new connection seems to have nothing to do with the old one. Returns where it begins.
    fileprivate func breakOff(cause: String = "the server closed the connection") -> Position {
        let start = hub.position
        hub.report(.gap(Gap(at: reactor.wallNow, length: .seconds(1), cause: cause, tried: ["no route"])))
        settleAirTime()
        return start
    }

    /// Reports that the audio since `start` was not the programme, or was a repetition.
    fileprivate func tell(_ kind: Stretch.Kind = .foreign, from start: Position) {
        let length = Duration.samples(hub.position.samples - start.samples, at: 44_100)
        let frames = start.frames..<hub.position.frames
        tell(.stretch(Stretch(kind, frames: frames, at: reactor.wallNow - length, length: length)))
    }

    /// The number of frames that ``play(_:)`` feeds in `duration`, counted from the start.
    fileprivate func position(after duration: Duration) -> Int64 {
        var frames: Int64 = 0
        while Duration.samples(frames * 1_152, at: 44_100) < duration { frames += 4 }
        return frames
    }
}
