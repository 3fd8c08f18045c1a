// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Indexes beside audio: what they find, and what happens to those that are wrong.
struct FrameIndexTests {
    private static let programme = Broadcast([.music(.seconds(12))], MPEGShape(128))
    private static let count: Int64 = 400

    /// A folder with a file and its index.
    private static func folder() throws -> (TemporaryFolder, Library) {
        let folder = try TemporaryFolder()
        let range = programme.byteRange(of: 0..<Int(count))
        try folder.write("s.mp3", Array(programme.bytes[range]))
        var sidecar = Sidecar(
            .complete, at: CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0), frames: count,
            bytes: Int64(range.count), samples: count * 1_152)
        (sidecar.recording, sidecar.stationID) = ("r", "fip")
        try folder.write("s.json", sidecar.encoded)
        let library = Library(path: folder.path)
        try rescan(library)
        return (folder, library)
    }

    private static func rescan(_ library: Library) throws {
        for segment in try library.page(atMost: 100).segments {
            guard library.lacksIndex(segment), let index = library.index(of: segment) else { continue }
            library.put(index, as: .index, beside: segment)
        }
    }

    private static func place(_ frame: Int64, in folder: TemporaryFolder) -> FrameIndex.Place {
        let (directory, file) = (open(folder.path, O_RDONLY | O_DIRECTORY), open(folder.file("s.mp3"), O_RDONLY))
        defer {
            close(directory)
            close(file)
        }
        return FrameIndex.place(upTo: frame, of: file, "s", in: directory, LinuxFileSystem())
    }

    private static func isRight(_ place: FrameIndex.Place) -> Bool {
        Int64(programme.byteRange(of: 0..<Int(place.frame)).count) == place.byte
    }

    @Test("An index finds a frame at most a second before the wanted one") func places() throws {
        let (folder, _) = try Self.folder()
        for frame in 0..<Self.count {
            let place = Self.place(frame, in: folder)
            #expect(Self.isRight(place) && (place.frame...place.frame + 39).contains(frame), "\(frame)")
        }
    }

    @Test("D40: An index that is cut short or damaged anywhere finds no wrong place") func damaged() throws {
        let (folder, _) = try Self.folder()
        let index = try folder.read("s.index")
        for number in index.indices {
            for content in [Array(index[..<number]), index.enumerated().map { $0 == number ? ~$1 : $1 }] {
                try folder.write("s.index", content)
                for frame in stride(from: 20, to: Self.count, by: 39) {
                    #expect(Self.isRight(Self.place(frame, in: folder)), "\(number), \(frame)")
                }
            }
        }
        for content in [[], [0], Array(repeating: 0, count: 500), FrameIndex.head + Array(repeating: 0, count: 320)] {
            try folder.write("s.index", content)
            #expect(Self.place(300, in: folder) == .start)
        }
    }

    @Test("D40: An index of other audio, or of audio whose tags have grown, is not used and made again")
    func otherAudio() throws {
        let (folder, library) = try Self.folder()
        let audio = try folder.read("s.mp3")
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "edited")]).encoded(size: 2_048)
        try folder.write("s.mp3", tag + audio)
        #expect(Self.place(300, in: folder) == .start)
        try Self.rescan(library)
        let place = Self.place(300, in: folder)
        #expect((261...300).contains(place.frame))
        #expect(place.byte - Int64(tag.count) == Int64(Self.programme.byteRange(of: 0..<Int(place.frame)).count))
        try folder.write("s.mp3", Array(audio.dropFirst(418 * 40)))
        #expect(Self.place(300, in: folder) == .start)
    }

    @Test("A rescan makes an index that is missing or too short, and leaves a foreign file of its name alone")
    func rescan() throws {
        let (folder, library) = try Self.folder()
        let index = try folder.read("s.index")
        for broken in [nil, Array(index[..<100]), FrameIndex.mark] as [[UInt8]?] {
            if let broken { try folder.write("s.index", broken) } else { unlink(folder.file("s.index")) }
            try Self.rescan(library)
            #expect(try folder.read("s.index") == index)
        }
        try folder.write("s.index", [1, 2, 3])
        try Self.rescan(library)
        #expect(try folder.read("s.index") == [1, 2, 3] && folder.names() == ["s.index", "s.json", "s.mp3"])
    }

    @Test("A deletion takes the index along, but no foreign file of its name", arguments: [true, false])
    func deletion(isOurs: Bool) throws {
        let (folder, _) = try Self.folder()
        if !isOurs { try folder.write("s.index", [1, 2, 3]) }
        try RecordingDeleter(path: folder.path).delete("r", ["s"])
        #expect(folder.names() == (isOurs ? [] : ["s.index"]))
    }

    @Test("An export is the same with an index, damage inside it included, and what lies before the span is not read")
    func export() throws {
        let (folder, library) = try Self.folder()
        let segment = try #require(library.segment(at: ["s.mp3"]))
        func export(_ frames: Range<Int64>) throws -> (RecordingExporter.Exported, [UInt8]) {
            let time = { (frame: Int64) in WallInstant(nanoseconds: 0) + .samples(frame * 1_152 - 9, at: 44_100) }
            let excerpt = Excerpt([segment], from: time(frames.lowerBound), until: time(frames.upperBound))
            let exporter = RecordingExporter(path: folder.path)
            let exported = try exporter.export(excerpt.withPreroll, toFile: folder.file("out.mp3"))
            return (exported, try folder.read("out.mp3"))
        }
        let index = try folder.read("s.index")
        var spans: [(Range<Int64>, RecordingExporter.Exported, [UInt8])] = []
        for start in stride(from: 1, to: Self.count - 20, by: 7) {
            let span = start..<min(Self.count, start + (start % 2 == 0 ? 15 : 170))
            let (exported, bytes) = try export(span)
            spans.append((span, exported, bytes))
        }
        unlink(folder.file("s.index"))
        for (frames, exported, bytes) in spans {
            let without = try export(frames)
            #expect(without.0 == exported && without.1 == bytes, "\(frames)")
        }
        try folder.write("s.index", index)
        let audio = try folder.read("s.mp3")
        func damage(_ range: Range<Int>) throws {
            try folder.write("s.mp3", audio[..<range.lowerBound] + range.map { _ in 0 } + audio[range.upperBound...])
        }
        let whole = Excerpt([segment], from: nil, until: nil)
        let bytes = try RecordingExporter(path: folder.path).bytes(of: whole)
        #expect(bytes.pieces == [.file(part: 0, 0..<Int64(audio.count))] && bytes.count == audio.count)
        try damage(40_000..<120_000)
        #expect(try RecordingExporter(path: folder.path).bytes(of: whole) == bytes)
        let damaged = try export(0..<Self.count)
        #expect(damaged.0.missing > 190 && damaged.0.frames + damaged.0.missing == Self.count)
        unlink(folder.file("s.index"))
        let without = try export(0..<Self.count)
        #expect(without.0 == damaged.0 && without.1 == damaged.1)
        try folder.write("s.index", index)
        try damage(0..<60_000)
        for (frames, exported, bytes) in spans where frames.lowerBound > 240 {
            let found = try export(frames)
            #expect(found.0 == exported && found.1 == bytes, "\(frames)")
        }
    }
}
