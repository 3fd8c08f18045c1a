// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Gaps whose audio is in other recordings of the same station.
@Suite("Healing from other recordings")
struct LibraryHealingTests {
    private static let programme = Broadcast([.music(.seconds(60))], MPEGShape(128))
    private static let frame = Duration.samples(1_152, at: 44_100)

    /// A recording of some frames of the programme.
    private struct File {
        var name: String
        /// The frames that it has, with a gap between two runs.
        var runs: [Range<Int>]
        /// How many seconds too late it is said to have been on air.
        var error = 0.0
        var station: String? = "fip"
        /// Whether the lengths of its gaps are known.
        var isKnown = true
        var foreign: Range<Int64>?
        var recording: String?
        var number = 1
        var continues: String?
        var next: String?
        /// How many frames are missing before the first one.
        var missing = 0
    }

    /// Writes the files of a folder.
    private static func folder(_ files: [File]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in files {
            let bytes = file.runs.flatMap { programme.bytes[programme.byteRange(of: $0)] }
            func time(_ place: Int) -> CivilTime {
                CivilTime(WallInstant(nanoseconds: 0) + frame * place + .seconds(file.error), utcOffset: 0)
            }
            let count = file.runs.reduce(0) { $0 + $1.count }
            var sidecar = Sidecar(
                .complete, at: time(file.runs[0].lowerBound), frames: Int64(count), bytes: Int64(bytes.count))
            var (position, last) = (Int64(0), file.runs[0].lowerBound)
            for run in file.runs {
                if position > 0 {
                    let length = (frame * (run.lowerBound - last)).wholeMilliseconds
                    sidecar.gaps.append(
                        .init(
                            at: time(last), milliseconds: file.isKnown ? length : nil, cause: "gone", tried: [],
                            position: position))
                }
                (position, last) = (position + Int64(run.count), run.upperBound)
            }
            (sidecar.recording, sidecar.number) = (file.recording ?? file.name, file.number)
            (sidecar.stationID, sidecar.continues, sidecar.next) = (file.station, file.continues, file.next)
            if file.missing > 0 {
                let length = (frame * file.missing).wholeMilliseconds
                sidecar.gaps.insert(
                    .init(
                        at: time(file.runs[0].lowerBound - file.missing), milliseconds: length, cause: "gone",
                        tried: [], position: 0), at: 0)
            }
            if let foreign = file.foreign {
                sidecar.foreign = [
                    .init(
                        at: time(file.runs[0].lowerBound + Int(foreign.lowerBound)), milliseconds: 1_000,
                        position: foreign.lowerBound, frames: Int64(foreign.count))
                ]
            }
            var checksum = AudioChecksum()
            bytes.withUnsafeBytes { checksum.take($0) }
            sidecar.checksum = checksum.value
            try folder.write("\(file.name).mp3", bytes)
            try folder.write("\(file.name).json", sidecar.encoded)
        }
        return folder
    }

    /// Heals a folder. Returns what was found and what became of it.
    @discardableResult
    private static func heal(
        _ folder: TemporaryFolder, only ids: Set<String> = [], changesNothing: Bool = false,
        _ system: any FileSystemCalls = LinuxFileSystem()
    ) throws -> [(finding: HealingSearch.Finding, outcome: LibraryHealing.Outcome)] {
        var healing = try LibraryHealing(path: folder.path, changesNothing: changesNothing, system: system)
        var found: [(HealingSearch.Finding, LibraryHealing.Outcome)] = []
        healing.run(only: ids, now: { WallInstant(nanoseconds: 1_000_000_000_000) }) {
            found.append(($0, $1))
        }
        return found
    }

    private static func sidecar(_ name: String, in folder: TemporaryFolder) throws -> Sidecar {
        try #require(folder.content(of: "\(name).json").flatMap(Sidecar.init(parsing:)))
    }

    private static func isExact(_ name: String, _ runs: [Range<Int>], in folder: TemporaryFolder) throws -> Bool {
        let library = Library(path: folder.path)
        let segment = try #require(library.segment(at: ["\(name).mp3"]))
        let bytes = runs.flatMap { programme.bytes[programme.byteRange(of: $0)] }
        return try folder.read("\(name).mp3") == bytes && library.check(segment)?.flaws(of: segment) == []
    }

    @Test("A gap gets its audio from a second recording, whatever the clocks and the length of the gap say")
    func whole() throws {
        for (error, isKnown) in [(0.0, true), (1.2, true), (-3, true), (0, false), (2, false)] {
            let folder = try Self.folder([
                File(name: "log", runs: [0..<700, 900..<1_800], isKnown: isKnown),
                File(name: "show", runs: [500..<1_500], error: error),
            ])
            let before = try Self.sidecar("show", in: folder)
            let found = try Self.heal(folder)
            #expect(found.map(\.outcome) == [.healed] && found.first?.finding.rest == .zero, "\(error)")
            #expect(try Self.isExact("log", [0..<1_800], in: folder), "\(error)")
            let sidecar = try Self.sidecar("log", in: folder)
            #expect(sidecar.gaps.isEmpty && sidecar.healed.first?.by == "show.mp3" && sidecar.revision == 1)
            #expect(try Self.sidecar("show", in: folder) == before)
            #expect(folder.names() == ["log.index", "log.json", "log.mp3", "show.json", "show.mp3"])
            #expect(try Self.heal(folder).isEmpty)
        }
    }

    @Test("Several gaps are healed, from as many recordings as have their audio")
    func several() throws {
        let folder = try Self.folder([
            File(name: "log", runs: [0..<400, 500..<800, 1_000..<1_200, 1_300..<1_800]),
            File(name: "first", runs: [200..<640]), File(name: "second", runs: [700..<900, 950..<1_500], error: 0.4),
        ])
        // The second recording lacks frames of the gap in its middle, but has both ends.
        let found = try Self.heal(folder, only: ["log"])
        #expect(found.allSatisfy { $0.outcome == .healed } && found.count == 4, "\(found)")
        #expect(try Self.isExact("log", [0..<900, 950..<1_800], in: folder))
        let sidecar = try Self.sidecar("log", in: folder)
        #expect(sidecar.gaps.map(\.position) == [900] && sidecar.revision == 4)
        let rest = try #require(sidecar.gaps.first?.milliseconds)
        #expect(abs(rest - (Self.frame * 50).wholeMilliseconds) < 5, "\(rest)")
    }

    @Test("A recording that begins or ends within the gap fills it from there on, and up to there")
    func restart() throws {
        for (second, expected) in [(900..<1_500, [0..<700, 900..<1_800]), (500..<850, [0..<850, 1_100..<1_800])] {
            let folder = try Self.folder([
                File(name: "log", runs: [0..<700, 1_100..<1_800]), File(name: "show", runs: [second], error: 0.5),
            ])
            let found = try Self.heal(folder)
            #expect(found.map(\.outcome) == [.healed] && found.first?.finding.match.isWhole == false)
            #expect(try Self.isExact("log", expected, in: folder))
            let gap = try #require(try Self.sidecar("log", in: folder).gaps.first)
            #expect(gap.position == Int64(expected[0].upperBound))
            let missing = Self.frame * (expected[1].lowerBound - expected[0].upperBound)
            #expect(abs((gap.milliseconds ?? 0) - missing.wholeMilliseconds) < 5)
        }
    }

    @Test("A recording that begins or ends a few frames beside the gap, or in a silence, gives each frame once")
    func fewBeside() throws {
        for (runs, other) in [
            ([0..<700, 900..<1_800], 500..<903), ([0..<700, 900..<1_800], 697..<1_500),
            ([0..<700, 900..<1_800], 698..<905), ([0..<700, 900..<903], 500..<903),
        ] {
            for error in [0.0, 1.2] {
                let folder = try Self.folder([
                    File(name: "log", runs: runs), File(name: "show", runs: [other], error: error),
                ])
                let found = try Self.heal(folder)
                #expect(found.map(\.outcome) == [.healed] && found.first?.finding.rest == .zero, "\(runs) \(other)")
                #expect(try Self.isExact("log", [0..<runs[1].upperBound], in: folder), "\(runs) \(other)")
                #expect(try Self.sidecar("log", in: folder).gaps.isEmpty)
            }
        }
        // A single frame proves nothing, but it is not put in twice.
        let folder = try Self.folder([
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "o", runs: [699..<1_500]),
        ])
        try Self.heal(folder)
        #expect(try Self.isExact("log", [0..<1_800], in: folder))
        // A recording begins 20 frames before a gap within a silence.
        let (silence, song) = ([UInt64](repeating: 7, count: 400), (0..<80).map { UInt64($0 + 10) })
        for (length, expected) in [(100, 20), (101, 19), (99, 21), (130, 7)] {
            let match = GapMatch(
                before: song + silence[..<50], after: song, in: silence[..<120] + song, begins: 0, ends: 0,
                length: length)
            #expect(match?.frames == expected..<120 && match?.isContinuedAfter == true, "\(length)")
            #expect(match?.continuesBefore == (length < 130))
        }
        // It has more before the gap, which is other audio there.
        let other = song.map { $0 + 100 }
        #expect(
            GapMatch(before: other, after: song, in: silence[..<120] + song, begins: 0, ends: 0, length: 100) == nil)
    }

    @Test("Files that follow each other are one recording: those with the audio, and those beside the gap")
    func consecutive() throws {
        let show = File(name: "show", runs: [500..<1_500], error: 0.4)
        for (files, name, expected, source) in [
            (
                [
                    File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "a", runs: [500..<780]),
                    File(name: "b", runs: [780..<860], recording: "a", number: 2),
                    File(name: "c", runs: [860..<1_500], recording: "a", number: 3),
                ], "log", 0..<1_800, "a.mp3 to c.mp3"
            ),
            (
                [
                    File(name: "log", runs: [0..<700, 900..<903]), show,
                    File(name: "next", runs: [903..<1_800], recording: "log", number: 2),
                ], "log", 0..<903, "show.mp3"
            ),
            (
                [
                    File(name: "log", runs: [698..<700, 900..<1_800], recording: "last", number: 2), show,
                    File(name: "last", runs: [0..<698]),
                ], "log", 698..<1_800, "show.mp3"
            ),
        ] {
            let folder = try Self.folder(files)
            let possible = try Self.heal(folder, changesNothing: true)
            let found = try Self.heal(folder)
            #expect(found.map(\.outcome) == [.healed] && possible.map(\.finding) == found.map(\.finding), "\(found)")
            #expect(found.first?.finding.source == source)
            #expect(try Self.isExact(name, [expected], in: folder) && Self.sidecar(name, in: folder).gaps.isEmpty)
        }
        // A file between two others is gone.
        let folder = try Self.folder([
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "a", runs: [500..<780]),
            File(name: "c", runs: [860..<1_500], recording: "a", number: 3),
        ])
        #expect(try Self.heal(folder).count == 2)
        #expect(try Self.isExact("log", [0..<780, 860..<1_800], in: folder))
    }

    @Test("A gap of unknown length gets nothing that fits on one side only, also from another encoder's recording")
    func unknownLength() throws {
        for (second, other) in [
            (1_100..<1_800, 900..<1_500), (1_100..<1_800, 500..<850), (1_600..<1_800, 500..<1_500),
            (900..<905, 500..<1_500),
        ] {
            let folder = try Self.folder([
                File(name: "log", runs: [0..<700, second], isKnown: false), File(name: "show", runs: [other]),
            ])
            #expect(try Self.heal(folder).isEmpty, "\(second) \(other)")
            #expect(try Self.isExact("log", [0..<700, second], in: folder))
        }
    }

    @Test("A gap between two files of a recording, or between one and the recording that it continues, is healed, too")
    func boundaries() throws {
        for next in [
            File(name: "b", runs: [900..<1_800], recording: "a", number: 2, missing: 200),
            File(name: "b", runs: [900..<1_800], continues: "a", missing: 200),
        ] {
            let folder = try Self.folder([
                File(name: "a", runs: [0..<700]), next, File(name: "show", runs: [500..<1_500], error: 0.7),
            ])
            let found = try Self.heal(folder)
            #expect(found.map(\.outcome) == [.healed] && found.first?.finding.match.isWhole == true)
            #expect(try Self.isExact("b", [700..<1_800], in: folder) && Self.isExact("a", [0..<700], in: folder))
            let (first, second) = try (Self.sidecar("a", in: folder), Self.sidecar("b", in: folder))
            let distance = try #require(second.at?.instant) - (try #require(first.endOfAudio))
            #expect(second.gaps.isEmpty && abs(distance.inSeconds) < 0.01, "\(distance)")
        }
    }

    @Test("Where a recording begins or ends, the length of its gap shows how much belongs there")
    func edges() throws {
        for (file, other, expected) in [
            (File(name: "log", runs: [900..<1_800], missing: 200), 500..<1_500, 700..<1_800),
            (File(name: "log", runs: [0..<700, 900..<900]), 500..<1_500, 0..<900),
            (File(name: "log", runs: [0..<700, 900..<900]), 500..<800, 0..<800),
            (File(name: "log", runs: [0..<700, 900..<900], isKnown: false), 500..<1_500, 0..<700),
        ] {
            let folder = try Self.folder([file, File(name: "show", runs: [other], error: 0.7)])
            try Self.heal(folder)
            #expect(try Self.isExact("log", [expected], in: folder), "\(expected)")
            let rest = try Self.sidecar("log", in: folder).gaps.first?.milliseconds
            let missing = (Self.frame * (900 - expected.upperBound)).wholeMilliseconds
            #expect(missing < 0 ? rest == nil : abs((rest ?? (file.isKnown ? 0 : missing)) - missing) < 5)
        }
    }

    @Test("A healing that was interrupted is settled first, so that its file heals others; a look only says so")
    func interrupted() throws {
        let files = [
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "show", runs: [500..<1_500]),
            File(name: "tv", runs: [600..<750, 850..<1_500]),
        ]
        let calls = FaultySystem()
        try Self.heal(try Self.folder(files), only: ["log"], calls)
        let folder = try Self.folder(files)
        let system = FaultySystem()
        system.kill(at: try #require(calls.log.firstIndex(of: "exchange")) + 2)
        try Self.heal(folder, only: ["log"], system)
        for name in ["show.mp3", "show.json"] { unlink(folder.file(name)) }
        let look = try LibraryHealing(path: folder.path, changesNothing: true)
        #expect(look.unsettled == [["log.mp3"]] && look.settled.isEmpty)
        #expect(try Self.heal(folder, changesNothing: true).isEmpty)
        #expect(try LibraryHealing(path: folder.path, changesNothing: false).settled == [["log.mp3"]])
        #expect(try Self.heal(folder).map(\.outcome) == [.healed])
        #expect(try Self.isExact("log", [0..<1_800], in: folder) && Self.isExact("tv", [600..<1_500], in: folder))
        #expect(!folder.names().contains { $0.hasPrefix(".") })
    }

    @Test("A file beside a gap that is gone is not taken for a part of the gap, nor is more than is missing")
    func goneBeside() throws {
        for (first, next, begin, missing, count) in [
            ([0..<700, 900..<900], nil, 920, 0, 1), ([0..<700, 900..<900], "gone.mp3", 920, 0, 0),
            ([0..<680], nil, 900, 200, 1), ([0..<680], "gone.mp3", 900, 200, 0), ([0..<600], nil, 900, 200, 0),
        ] as [([Range<Int>], String?, Int, Int, Int)] {
            let folder = try Self.folder([
                File(name: "a", runs: first, next: next), File(name: "show", runs: [500..<1_500]),
                File(name: "b", runs: [begin..<1_800], continues: "a", missing: missing),
            ])
            #expect(try Self.heal(folder, changesNothing: true).count == count, "\(first) \(next ?? "")")
        }
    }

    @Test("Nothing is put in if another recording gets shorter while it is copied")
    func shortened() throws {
        let folder = try Self.folder([
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "show", runs: [500..<1_500]),
        ])
        let finding = try #require(try Self.heal(folder, changesNothing: true).first?.finding)
        let frames = try #require(try HealingSearch(Library(path: folder.path)).frames(of: finding))
        try folder.write("show.mp3", Array(folder.read("show.mp3").dropLast(300_000)))
        #expect {
            try RecordingHealer(path: folder.path).heal(
                finding.segment, before: finding.gap.position, with: frames, now: nil)
        } throws: { error in
            guard case .storage(let error)? = error as? RecordingHealer.Problem else { return false }
            return error.code == .stale
        }
        #expect(try Self.isExact("log", [0..<700, 900..<1_800], in: folder))
    }

    @Test("Nothing is put in from recordings that lack it, have other frames, other programmes or adverts there")
    func nothing() throws {
        let log = File(name: "log", runs: [0..<700, 900..<1_800])
        for other in [
            File(name: "o", runs: [500..<700, 900..<1_500]), File(name: "o", runs: [500..<1_500], station: "other"),
            File(name: "o", runs: [500..<1_500], station: nil), File(name: "o", runs: [0..<700]),
            File(name: "o", runs: [900..<1_500]), File(name: "o", runs: [500..<1_500], foreign: 300..<340),
            // The frames say that this was on air at another time.
            File(name: "o", runs: [1_300..<1_800], error: -15), File(name: "o", runs: [500..<1_500], error: 200),
        ] {
            let folder = try Self.folder([log, other])
            let content = try folder.names().map(folder.read)
            #expect(try Self.heal(folder).isEmpty, "\(other)")
            #expect(try folder.names().map(folder.read) == content)
        }
    }

    @Test("A look at what could be healed changes nothing, and a wish for one recording leaves the others")
    func dryRun() throws {
        let folder = try Self.folder([
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "show", runs: [500..<1_000, 1_050..<1_500]),
        ])
        let content = try folder.names().map(folder.read)
        let found = try Self.heal(folder, changesNothing: true)
        #expect(found.map(\.outcome) == [.found, .found] && Set(found.map(\.finding.match.frames.count)) == [200, 50])
        #expect(try folder.names().map(folder.read) == content)
        #expect(try Self.heal(folder, only: ["show"]).count == 1)
        #expect(try Self.isExact("show", [500..<1_500], in: folder))
        #expect(try folder.read("log.mp3") == content[1])
    }

    @Test("Nothing is put in from a recording that somebody has edited, nor into one, and a look says so as well")
    func edited() throws {
        func edit(_ name: String, _ frame: Int, in folder: TemporaryFolder) throws {
            var bytes = try folder.read(name)
            bytes[Self.programme.byteRange(of: 0..<frame).upperBound - 9] ^= 1
            try folder.write(name, bytes)
        }
        let log = File(name: "log", runs: [0..<700, 900..<1_800])
        let (show, other) = (File(name: "show", runs: [500..<1_500]), File(name: "tv", runs: [650..<950]))
        typealias Problem = RecordingHealer.Problem
        for (files, name, frame, problem) in [
            ([log, show], "show.mp3", 300, Problem.otherChanged(["show.mp3"])), ([log, show], "log.mp3", 20, .changed),
            (
                [
                    File(name: "a", runs: [0..<700]), show,
                    File(name: "b", runs: [900..<1_800], recording: "a", number: 2, missing: 200),
                ], "a.mp3", 20, .otherChanged(["a.mp3"])
            ),
        ] {
            let folder = try Self.folder(files)
            try edit(name, frame, in: folder)
            let content = try folder.names().map(folder.read)
            for changesNothing in [true, false] {
                let found = try Self.heal(folder, changesNothing: changesNothing)
                #expect(found.map(\.outcome) == [.failed(problem)], "\(name) \(changesNothing)")
                #expect(try folder.names().map(folder.read) == content)
            }
        }
        // A third recording has the audio, too.
        let folder = try Self.folder([log, show, other])
        try edit("show.mp3", 300, in: folder)
        let found = try Self.heal(folder)
        #expect(found.map(\.outcome) == [.failed(.otherChanged(["show.mp3"])), .healed])
        #expect(try Self.isExact("log", [0..<1_800], in: folder))
    }

    @Test("A folder that cannot be written is named, with what to do, and a look says so as well")
    func readOnly() throws {
        let folder = try Self.folder([
            File(name: "log", runs: [0..<700, 900..<1_800]), File(name: "show", runs: [500..<1_500]),
        ])
        for changesNothing in [true, false] {
            let system = FaultySystem()
            system.setErrors(["access": EROFS])
            let found = try Self.heal(folder, changesNothing: changesNothing, system)
            guard case .failed(.storage(let error))? = found.first?.outcome else { return #expect(Bool(false)) }
            let expected = "cannot write to the folder \(folder.path): the file system is read-only: remount it"
            #expect(error.description.hasPrefix(expected))
        }
    }

    @Test("Audio that repeats is matched where the clock expects it, and silence tells nothing")
    func repeats() {
        let song = (0..<40).map { UInt64($0) }
        let other = song + song + song
        func match(_ before: [UInt64], _ after: [UInt64], _ other: [UInt64], begins: Int, ends: Int?) -> Range<Int>? {
            GapMatch(
                before: before, after: after, in: other, begins: begins, ends: ends ?? 0,
                length: ends.map { $0 - begins })?.frames
        }
        #expect(match(Array(song[..<10]), Array(song[20...]), other, begins: 52, ends: 57) == 50..<60)
        #expect(match(Array(song[..<10]), Array(song[20...]), other, begins: 52, ends: nil) == nil)
        let silence = [UInt64](repeating: 7, count: 20)
        #expect(match(silence, silence, silence + silence + silence, begins: 20, ends: 40) == nil)
        #expect(
            match(song + silence, silence + song, song + silence + [1, 2] + silence + song, begins: 60, ends: 62)
                == 60..<62)
        #expect(match(Array(song[..<7]), Array(song[20...]), other, begins: 52, ends: 57) == nil)
    }
}
