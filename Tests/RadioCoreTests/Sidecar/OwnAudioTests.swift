// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Testing

@testable import RadioCore

/// What of a recording is the station's.
struct OwnAudioTests {
    private static let start = WallInstant(nanoseconds: 1_800_000_000_000_000_000)

    private static func time(_ seconds: Int64) -> CivilTime { CivilTime(start + .seconds(seconds), utcOffset: 0) }

    private static func gap(_ position: Int64, at: Int64, _ seconds: Int64) -> Sidecar.Gap {
        Sidecar.Gap(at: time(at), milliseconds: seconds * 1_000, cause: "gone", tried: [], position: position)
    }

    private static func stretch(_ position: Int64, _ frames: Int64, at: Int64) -> Sidecar.Stretch {
        Sidecar.Stretch(at: time(at), milliseconds: frames * 1_000, position: position, frames: frames)
    }

    private static func file(_ station: String?, at: Int64, _ frames: Int64) -> OwnAudio.File {
        OwnAudio.File(station: station, at: time(at).instant, end: time(at + frames).instant, frames: frames)
    }

    @Test("Ten thousand files of other stations, gaps and foreign stretches take no longer than reading them")
    func cost() {
        let count: Int64 = 10_000
        let files = (0..<count).map { Self.file("station \($0)", at: $0 * 4, 4) }
        let turns = (0..<count).map { Self.file($0 == 0 || $0 == count - 1 ? "A" : "B \($0)", at: $0 * 4, 4) }
        let gaps = (0..<count).map { Self.gap($0 * 4 + 3, at: $0 * 4, 1) }
        let foreign = (0..<count).map { Self.stretch($0 * 4 + 1, 2, at: $0 * 4 + 1) }
        let before = Self.processorTime
        let own = OwnAudio(frames: count * 4, files: files, gaps: gaps, foreign: foreign)
        #expect(own.frames == count * 2 && own.absences.count == 20_000)
        let between = OwnAudio(frames: count * 4, files: turns, gaps: gaps, foreign: [])
        #expect(between.frames == 8 && between.absences.count == 19_998)
        // It takes milliseconds. With a search through all files for each file, it would take minutes.
        #expect(Self.processorTime - before < .seconds(5))
    }

    /// The processor time of this thread, which does not depend on what else runs.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("The absences are those that the rules name, one place at a time", arguments: 0..<400 as Range<UInt64>)
    func rules(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names = ["A", "B", "C", nil].prefix(Int.random(in: 1...4, using: &random))
        var (files, at) = ([OwnAudio.File](), Int64(0))
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let frames = Int64.random(in: 1...9, using: &random)
            files.append(Self.file(names.randomElement(using: &random)!, at: at, frames))
            at += frames + Int64.random(in: -2...4, using: &random)
        }
        let frames = files.reduce(0) { $0 + $1.frames }
        var (gaps, foreign, position) = ([Sidecar.Gap](), [Sidecar.Stretch](), Int64(0))
        while position < frames {
            if Bool.random(using: &random) {
                gaps.append(Self.gap(position, at: Int64.random(in: 0...40, using: &random), 2))
            }
            // Stretches that follow each other are one: see ``parts()``.
            position += Int64.random(in: (position == 0 ? 0 : 1)...3, using: &random)
            let length = min(Int64.random(in: 0...5, using: &random), frames - position)
            if length > 0 {
                foreign.append(Self.stretch(position, length, at: Int64.random(in: 0...40, using: &random)))
                position += length
            }
        }
        let own = OwnAudio(frames: frames, files: files, gaps: gaps, foreign: foreign)
        let expected = Self.absences(files, gaps, foreign)
        #expect(own.absences == expected && own.frames == frames - expected.reduce(0) { $0 + $1.frames })
    }

    /// The rules as they are said.
    private static func absences(
        _ files: [OwnAudio.File], _ gaps: [Sidecar.Gap], _ foreign: [Sidecar.Stretch]
    ) -> [OwnAudio.Absence] {
        let missing = gaps.map {
            OwnAudio.Absence(
                position: $0.position, frames: 0, at: $0.at.instant, length: .milliseconds($0.milliseconds ?? 0),
                cause: $0.cause)
        }
        let inserted = foreign.map { stretch in
            let isCovered = missing.contains {
                $0.position == stretch.range.upperBound && $0.at <= stretch.at.instant
            }
            return OwnAudio.Absence(
                position: stretch.position, frames: stretch.frames, at: stretch.at.instant,
                length: isCovered || stretch.position == 0 ? .zero : .milliseconds(stretch.milliseconds),
                cause: "foreign audio was in its place")
        }
        var (others, own, position) = ([OwnAudio.Absence](), [OwnAudio.File](), Int64(0))
        for (index, file) in files.enumerated() {
            defer { position += file.frames }
            let rest = files[index...]
            let before = own.last { other in rest.contains { $0.station == other.station } }
            guard let before, before.station != file.station,
                let next = rest.first(where: { $0.station == before.station })
            else {
                own.append(file)
                continue
            }
            let isFirst = others.last.map { $0.position + $0.frames < position } ?? true
            others.append(
                OwnAudio.Absence(
                    position: position, frames: file.frames, at: before.end,
                    length: isFirst ? max(.zero, next.at - before.end) : .zero,
                    cause: "another station was in its place"))
        }
        others.removeAll { other in
            foreign.contains { $0.range.overlaps(other.position..<other.position + other.frames) }
        }
        return (missing + inserted + others).sorted { $0.position < $1.position }
    }

    @Test("A34: A stretch in several files, or of several files of the server, is one") func parts() {
        let files = [Self.file("A", at: 0, 30), Self.file("A", at: 30, 40)]
        let parts = [Self.stretch(20, 10, at: 20), Self.stretch(30, 15, at: 30), Self.stretch(45, 5, at: 45)]
        let covered = OwnAudio(frames: 70, files: files, gaps: [Self.gap(50, at: 18, 6)], foreign: parts)
        #expect(covered.absences.map(\.length) == [.zero, .seconds(6)] && covered.frames == 40)
        let alone = OwnAudio(frames: 70, files: files, gaps: [], foreign: parts)
        #expect(alone.absences.map(\.length) == [.seconds(30)] && alone.absences.map(\.position) == [20])
        let opener = OwnAudio(
            frames: 70, files: files, gaps: [], foreign: [Self.stretch(0, 30, at: 0), Self.stretch(30, 5, at: 30)])
        #expect(opener.absences.map(\.length) == [.zero] && opener.frames == 35)
    }

    @Test("A34: Another station is another one also where a recording ends and the next one continues it")
    func inSequence() {
        func recordings(_ files: [[OwnAudio.File]]) -> [[OwnAudio.Absence]] {
            let own = files.map {
                OwnAudio(frames: $0.reduce(0) { $0 + $1.frames }, files: $0, gaps: [], foreign: [])
            }
            return OwnAudio.inSequence(own).map(\.absences)
        }
        let (first, last) = (Self.file("A", at: 0, 20), Self.file("A", at: 50, 20))
        let end = recordings([[first, Self.file("B", at: 20, 15)], [last]])
        #expect(end.map(\.count) == [1, 0] && end[0][0].position == 20 && end[0][0].length == .seconds(15))
        let start = recordings([[first], [Self.file("B", at: 40, 10), last]])
        #expect(start.map(\.count) == [0, 1] && start[1][0].at == Self.start + .seconds(40))
        #expect(start[1][0].frames == 10 && start[1][0].length == .seconds(10))
        let between = recordings([[first, Self.file("B", at: 20, 5)], [Self.file("B", at: 25, 10)], [last]])
        #expect(between.map(\.count) == [1, 1, 0] && between[1][0].length == .seconds(10))
        let cut = recordings([[first, Self.file("B", at: 20, 9), Self.file("B", at: 30, 19), last]])[0]
        #expect(cut.map(\.frames) == [9, 19] && cut.map(\.length) == [.seconds(30), .zero])
        // The station may have another name now, or have had one.
        #expect(recordings([[first], [Self.file("B", at: 25, 10)], [last]]) == [[], [], []])
        #expect(recordings([[first, Self.file("B", at: 20, 15)], [Self.file("B", at: 50, 9)]]) == [[], []])
    }
}
