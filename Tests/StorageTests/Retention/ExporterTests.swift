// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Exports of a part of a recording as one file, and checks of files.
struct ExporterTests {
    private static let programme = Broadcast([.music(.seconds(6))], MPEGShape(128))

    /// A folder with a recording in two files, the second of which begins with frame 100.
    private static func folder() throws -> (TemporaryFolder, Library) {
        let folder = try TemporaryFolder()
        for (number, places) in [0..<100, 100..<200].enumerated() {
            let range = programme.byteRange(of: places)
            try folder.write("s\(number).mp3", Array(programme.bytes[range]))
            let at = WallInstant(nanoseconds: 0) + .samples(Int64(places.lowerBound) * 1_152, at: 44_100)
            var sidecar = Sidecar(.complete, at: CivilTime(at, utcOffset: 0), frames: 100, bytes: Int64(range.count))
            sidecar.recording = "r"
            sidecar.number = number + 1
            try folder.write("s\(number).json", sidecar.encoded)
        }
        return (folder, Library(path: folder.path))
    }

    /// Exports into `out.mp3`.
    private static func export(
        _ excerpt: Excerpt, in folder: TemporaryFolder, _ system: any FileSystemCalls = LinuxFileSystem()
    ) throws -> RecordingExporter.Exported {
        try RecordingExporter(path: folder.path, system: system).export(excerpt, toFile: folder.file("out.mp3"))
    }

    @Test("An export copies frames across files, each read once, and nothing else") func acrossFiles() throws {
        let (folder, library) = try Self.folder()
        let segments = ["s0.mp3", "s1.mp3"].compactMap { library.segment(at: [$0]) }
        let recording = LibraryRecording(id: "r", segments: segments)
        let frame = 1152.0 / 44_100
        let excerpt = Excerpt(
            recording, from: WallInstant(nanoseconds: 0) + .seconds(frame * 29.5),
            until: WallInstant(nanoseconds: 0) + .seconds(frame * 149.5))
        let system = FaultySystem()
        let exported = try Self.export(excerpt, in: folder, system)
        #expect(system.log.count { $0 == "pread" } == 2)
        let range = Self.programme.byteRange(of: 30..<150)
        #expect(exported == .init(frames: 120, bytes: Int64(range.count), samples: 120 * 1_152))
        #expect(try folder.read("out.mp3") == Array(Self.programme.bytes[range]))
        let empty = Excerpt(recording, from: WallInstant(nanoseconds: 9_000_000_000), until: nil)
        #expect(throws: RecordingExporter.Problem.self) {
            try RecordingExporter(path: folder.path).export(empty, to: 1)
        }
    }

    @Test("Recordings that overlap are joined at the frames that both have, whatever their clocks say")
    func joined() throws {
        for (error, first, second) in [
            (0.3, 0..<120, 90..<200), (-0.4, 0..<120, 60..<110), (0.1, 0..<100, 100..<200),
            // The later one begins earlier.
            (0, 3..<60, 0..<200), (0.1, 3..<60, 0..<40),
        ] {
            let folder = try TemporaryFolder()
            let segments = try Self.recordings([(first, 0), (second, error)], in: folder)
            let joined = RecordingExporter(path: folder.path).joining(segments, from: nil, until: nil)
            _ = try Self.export(joined.excerpt, in: folder)
            let whole = Self.programme.byteRange(of: 0..<max(first.upperBound, second.upperBound))
            #expect(try folder.read("out.mp3") == Array(Self.programme.bytes[whole]), "\(first) \(second)")
            #expect(joined.unmatched == 0)
        }
    }

    @Test("I9: Recordings that overlap by a few frames are joined there though the earlier one ends with a gap")
    func joinedBeforeGap() throws {
        let folder = try TemporaryFolder()
        var segments = try Self.recordings([(0..<100, 0), (96..<200, 0)], in: folder)
        let end = CivilTime(WallInstant(nanoseconds: 0) + .samples(115_200, at: 44_100), utcOffset: 0)
        var sidecar = try #require(segments[0].sidecar)
        sidecar.gaps = [.init(at: end, milliseconds: 3_000, cause: "gone", tried: [], position: 100)]
        segments[0].description = .sidecar(sidecar)
        let exporter = RecordingExporter(path: folder.path)
        let joined = exporter.joining(segments, from: nil, until: nil)
        #expect(joined.excerpt.parts.map(\.known) == [0..<100, 4..<104] && joined.unmatched == 0)
        // The later file has the audio of the gap, whatever the clock says.
        let excerpt = Excerpt(segments, from: nil, until: nil)
        #expect(excerpt.parts.map(\.known) == [0..<100, 4..<104])
    }

    @Test("The beginning taken from another recording ends where a recording begins, whatever the clocks say")
    func beginning() throws {
        for (error, log, next) in [
            (0.0, 0..<200, 90..<200), (0.08, 0..<200, 90..<200), (-0.08, 0..<200, 90..<200), (0.001, 0..<90, 90..<200),
            (-0.001, 0..<91, 90..<200), (0.08, 0..<200, 90..<110),
        ] {
            let folder = try TemporaryFolder()
            let segments = try Self.recordings([(log, 0), (next, error)], in: folder)
            let end = try #require(segments[1].sidecar?.at?.instant)
            let excerpt = RecordingExporter(path: folder.path)
                .excerpt([segments[0]], from: WallInstant(nanoseconds: 0), until: end, before: segments[1])
            #expect(excerpt.sidecar?.frames == 90, "\(error) \(log) \(next)")
        }
        // The other recording has nothing before it.
        let folder = try TemporaryFolder()
        let segments = try Self.recordings([(90..<200, 0), (90..<200, 0.001)], in: folder)
        let end = try #require(segments[1].sidecar?.at?.instant)
        let excerpt = RecordingExporter(path: folder.path)
            .excerpt([segments[0]], from: WallInstant(nanoseconds: 0), until: end, before: segments[1])
        #expect(excerpt.parts == [])
    }

    /// Files of different recordings with these frames of the programme, and how many seconds too late each is said to
    /// have been on air.
    private static func recordings(
        _ files: [(Range<Int>, Double)], in folder: TemporaryFolder
    ) throws -> [LibrarySegment] {
        for (number, (places, error)) in files.enumerated() {
            let range = programme.byteRange(of: places)
            try folder.write("\(number).mp3", Array(programme.bytes[range]))
            let at = WallInstant(nanoseconds: 0) + .samples(Int64(places.lowerBound) * 1_152, at: 44_100)
            var sidecar = Sidecar(
                .complete, at: CivilTime(at + .seconds(error), utcOffset: 0), frames: Int64(places.count),
                bytes: Int64(range.count), samples: Int64(places.count) * 1_152)
            (sidecar.recording, sidecar.number) = ("\(number)", 1)
            try folder.write("\(number).json", sidecar.encoded)
        }
        let library = Library(path: folder.path)
        return files.indices.compactMap { library.segment(at: ["\($0).mp3"]) }
    }

    @Test("A part of a recording becomes a file with its own sidecar") func addedPart() throws {
        let (folder, library) = try Self.folder()
        var source = try #require(library.segment(at: ["s1.mp3"])?.sidecar)
        // Two seconds are missing between the two files.
        let at = CivilTime(try #require(source.at?.instant) + .seconds(2), utcOffset: 0)
        source.at = at
        source.titles = [.init(at: at, position: 3, text: "a"), .init(at: at, position: 40, text: "b")]
        source.gaps = [
            .init(at: at, milliseconds: 2_000, cause: "gone", tried: [], position: 0),
            .init(at: at, milliseconds: 500, cause: "gone", tried: [], position: 20),
        ]
        try folder.write("s1.json", source.encoded)
        let segments = ["s0.mp3", "s1.mp3"].compactMap { library.segment(at: [$0]) }
        let frame = 1152.0 / 44_100
        let excerpt = Excerpt(
            LibraryRecording(id: "r", segments: segments), from: WallInstant(nanoseconds: 0) + .seconds(frame * 89.5),
            until: WallInstant(nanoseconds: 0) + .seconds(frame * 149.5 + 2.5))
        let sidecar = try #require(excerpt.sidecar)
        #expect(sidecar.titles.map(\.position) == [13, 50] && sidecar.gaps.map(\.position) == [10, 30])
        #expect(sidecar.frames == 60 && sidecar.samples == 60 * 1_152)
        let began = try #require(sidecar.at?.instant) - WallInstant(nanoseconds: 0)
        #expect(abs(began.inSeconds - frame * 90) < 0.002)
        try RecordingExporter(path: folder.path).add(excerpt, sidecar, in: [], base: "part")
        let part = try #require(library.segment(at: ["part.mp3"]))
        let check = try #require(try library.check(part))
        #expect(check.frames == 60 && part.sidecar?.frames == 60)
        #expect(check.flaws(of: part) == [] && part.sidecar?.checksum == check.checksum)
        #expect(throws: RecordingExporter.Problem.self) {
            try RecordingExporter(path: folder.path).add(excerpt, sidecar, in: [], base: "part")
        }
        #expect(folder.names().filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test("Frames that the files have lost are counted") func missingFrames() throws {
        let (folder, library) = try Self.folder()
        let short = Self.programme.byteRange(of: 0..<60)
        try folder.write("s0.mp3", Array(Self.programme.bytes[short]))
        let segments = ["s0.mp3", "s1.mp3"].compactMap { library.segment(at: [$0]) }
        let excerpt = Excerpt(LibraryRecording(id: "r", segments: segments), from: nil, until: nil)
        let exported = try Self.export(excerpt, in: folder)
        #expect(exported.frames == 160 && exported.missing == 40)
    }

    @Test("Damage is left out, and the frames after it keep their time") func damage() throws {
        let (folder, library) = try Self.folder()
        var bytes = try folder.read("s0.mp3")
        let damaged = Self.programme.byteRange(of: 20..<30)
        bytes.replaceSubrange(damaged, with: [UInt8](repeating: 7, count: damaged.count))
        try folder.write("s0.mp3", bytes)
        let segments = ["s0.mp3", "s1.mp3"].compactMap { library.segment(at: [$0]) }
        let frame = 1152.0 / 44_100
        // The framer drops the frame before the damage, too: no header confirms its end.
        for (start, lost) in [(15, 19..<30), (25, 25..<30), (40, 40..<40)] as [(Int, Range<Int>)] {
            let excerpt = Excerpt(
                LibraryRecording(id: "r", segments: segments),
                from: WallInstant(nanoseconds: 0) + .seconds(frame * (Double(start) - 0.5)), until: nil)
            let exported = try Self.export(excerpt, in: folder)
            let kept = (start..<max(start, lost.lowerBound), lost.upperBound..<200)
            let range = (Self.programme.byteRange(of: kept.0), Self.programme.byteRange(of: kept.1))
            #expect(try folder.read("out.mp3") == Array(Self.programme.bytes[range.0] + Self.programme.bytes[range.1]))
            #expect(exported.missing == lost.count, "\(exported) from \(start)")
            #expect(exported.frames == 200 - start - lost.count)
        }
    }

    @Test("A growing file is measured, because its sidecar is older") func growingFile() throws {
        let (folder, library) = try Self.folder()
        var sidecar = try #require(library.segment(at: ["s0.mp3"])?.sidecar)
        (sidecar.frames, sidecar.bytes, sidecar.samples, sidecar.state) = (0, 0, 0, .growing)
        try folder.write("s0.json", sidecar.encoded)
        try folder.write("s0.mp3.part", try folder.read("s0.mp3") + [0xff, 0xfb])
        unlink(folder.file("s0.mp3"))
        let old = try #require(library.segment(at: ["s0.mp3"]))
        let measured = try library.measured(old).sidecar
        #expect(old.sidecar?.frames == 0)
        #expect(measured?.frames == 100 && measured?.samples == 115_200 && measured?.at == sidecar.at)
        let complete = try #require(library.segment(at: ["s1.mp3"]))
        #expect(try library.measured(complete) == complete)
    }

    @Test("A check counts the frames of a file, and the bytes that do not belong there") func check() throws {
        let (folder, library) = try Self.folder()
        let segment = try #require(library.segment(at: ["s0.mp3"]))
        let check = try #require(try library.check(segment))
        #expect(check.frames == 100 && check.foreignBytes == 0 && check.bytes == segment.sidecar?.bytes)
        var bytes = try folder.read("s0.mp3")
        bytes.insert(contentsOf: [UInt8](repeating: 7, count: 50), at: Self.programme.byteRange(of: 0..<40).count)
        try folder.write("s0.mp3", bytes)
        let changed = try #require(library.segment(at: ["s0.mp3"]))
        let damaged = try #require(try library.check(changed))
        #expect(damaged.foreignBytes >= 50 && (99...100).contains(damaged.frames), "\(damaged)")
    }
}
