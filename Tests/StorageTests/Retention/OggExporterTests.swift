// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Exports of a recording's Ogg files as one file. The recorder's tests check what decoders make of that file.
struct OggExporterTests {
    private static let encodings: [ReferenceProgramme.Encoding] = [.opus(96), .vorbis(128), .flac]

    /// A recording of a programme in files of two seconds each, named `s0`, `s1` and so on.
    private struct Rig {
        let folder: TemporaryFolder
        let checker: FrameChecker
        private(set) var names: [String] = []

        init(_ encodings: ReferenceProgramme.Encoding..., seconds: Int = 6) async throws {
            folder = try TemporaryFolder()
            var programmes: [ReferenceProgramme] = []
            for encoding in encodings {
                let parameters = ReferenceProgramme.Parameters(encoding, sampleRate: 48_000, seconds: seconds)
                programmes.append(try await ReferenceProgramme.make(parameters))
            }
            checker = try programmes[0].checker()
            for programme in programmes { try write(programme) }
        }

        private mutating func write(_ programme: ReferenceProgramme) throws {
            var framer = OggFramer()
            programme.bytes.withUnsafeBytes { framer.append($0) }
            framer.finish()
            var format: StreamFormat?
            var file: [(bytes: [UInt8], samples: Int)] = []
            while let event = framer.next() {
                if case .format(let new) = event { format = new }
                guard case .frame(let frame) = event, let format else { continue }
                file.append((framer.withBytes(of: frame) { Array($0) }, frame.samples))
                if file.reduce(0, { $0 + $1.samples }) >= 2 * format.sampleRate { try write(&file, format) }
            }
            if let format, !file.isEmpty { try write(&file, format) }
        }

        private mutating func write(_ file: inout [(bytes: [UInt8], samples: Int)], _ format: StreamFormat) throws {
            let number = names.count + 1
            var paginator = OggPaginator(
                format: format, serial: UInt32(number), comments: [("TITLE", "s\(number)")],
                preSkip: number == 1 ? .encoders : .convergence, pageDuration: .milliseconds(200))
            var bytes = paginator.headerPages()
            for packet in file {
                packet.bytes.withUnsafeBytes { paginator.append(packet: $0, samples: packet.samples, into: &bytes) }
            }
            paginator.finish(into: &bytes)
            var described = format
            described.headerPackets = []
            let at = WallInstant(nanoseconds: 0) + .seconds(2 * (number - 1))
            var sidecar = Sidecar(
                .complete, at: CivilTime(at, utcOffset: 0), frames: Int64(file.count),
                bytes: file.reduce(0) { $0 + Int64($1.bytes.count) },
                samples: file.reduce(0) { $0 + Int64($1.samples) }, format: described)
            (sidecar.recording, sidecar.number) = ("r", number)
            let base = "s\(number - 1)"
            names.append("\(base).\(format.fileType.fileExtension)")
            try folder.write(names[number - 1], bytes)
            try folder.write("\(base).json", sidecar.encoded)
            file = []
        }

        func excerpt(from start: Double? = nil, to end: Double? = nil) -> Excerpt {
            let library = Library(path: folder.path)
            let segments = names.compactMap { library.segment(at: [$0]) }
            return Excerpt(
                LibraryRecording(id: "r", segments: segments),
                from: start.map { WallInstant(nanoseconds: 0) + .seconds($0) },
                until: end.map { WallInstant(nanoseconds: 0) + .seconds($0) })
        }

        func export(_ excerpt: Excerpt) throws -> RecordingExporter.Exported {
            try RecordingExporter(path: folder.path).export(excerpt, toFile: folder.file("out"))
        }
    }

    @Test("An export of packets across files is one Ogg stream", arguments: encodings)
    func acrossFiles(_ encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await Rig(encoding)
        #expect(rig.names.count >= 3)
        // ffmpeg ends FLAC with an empty packet.
        let lastPlace = rig.checker.frames.lastIndex { !$0.isEmpty }
        for (start, end) in [(nil, nil), (1.5, nil), (nil, 3.5), (1.5, 4.5), (2.5, 3.5)] as [(Double?, Double?)] {
            let exported = try rig.export(rig.excerpt(from: start, to: end))
            let bytes = try rig.folder.read("out")
            let report = rig.checker.check(bytes)
            let places = try #require(report.exactStretch, "\(report)")
            #expect(Int64(places.count) == exported.frames && exported.missing == 0)
            #expect(exported.bytes == places.reduce(0) { $0 + Int64(rig.checker.frames[$1].count) })
            #expect((places.lowerBound == 0) == (start == nil))
            #expect((places.upperBound == lastPlace) == (end == nil))
            let length = try MediaProbe.decodedSeconds(rig.folder.file("out"))
            #expect(abs(length - ((end ?? 6) - (start ?? 0))) < 0.2, "\(length)")
            #expect(try MediaProbe.decodingErrors(rig.folder.file("out")) == "")
            #expect(try MediaProbe.describe(rig.folder.file("out")).tags["title"] == ((start ?? 0) < 2 ? "s1" : "s2"))
        }
    }

    @Test("A part of an Ogg recording becomes a file with its own sidecar", arguments: encodings)
    func addedPart(_ encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await Rig(encoding)
        let excerpt = rig.excerpt(from: 1.5, to: 4.5)
        try RecordingExporter(path: rig.folder.path).add(excerpt, try #require(excerpt.sidecar), in: [], base: "part")
        let library = Library(path: rig.folder.path)
        let suffix = encoding == .opus(96) ? "opus" : "ogg"
        let part = try #require(library.segment(at: ["part.\(suffix)"]))
        let check = try #require(try library.check(part))
        #expect(try MediaProbe.describe(rig.folder.file("part.\(suffix)")).tags["title"] == "part")
        #expect(check.frames == part.sidecar?.frames && check.bytes == part.sidecar?.bytes && check.foreignBytes == 0)
    }

    @Test("A change of format ends the export, and the error says where") func formatChange() async throws {
        for (first, second) in [(.vorbis(96), .vorbis(192)), (.vorbis(96), .flac), (.opus(96), .vorbis(96))]
            as [(ReferenceProgramme.Encoding, ReferenceProgramme.Encoding)]
        {
            let rig = try await Rig(first, second, seconds: 3)
            #expect(rig.names.count == 4)
            var text = ""
            do {
                _ = try rig.export(rig.excerpt())
            } catch {
                text = "\(error)"
            }
            #expect(text.contains("1970-01-01T00:00:04.000Z (\(rig.names[2]))"), "\(text)")
            #expect(try rig.export(rig.excerpt(to: 3)).frames > 100)
        }
    }

    @Test("Packets that a broken file has lost are counted", arguments: encodings)
    func brokenFile(_ encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await Rig(encoding)
        for name in rig.names[1...] {
            let bytes = try rig.folder.read(name)
            try rig.folder.write(name, Array(bytes.dropLast(1_000)))
        }
        let excerpt = rig.excerpt()
        let exported = try rig.export(excerpt)
        #expect(exported.missing > 0)
        let frames = excerpt.parts.reduce(0) { $0 + ($1.segment.sidecar?.frames ?? 0) }
        #expect(exported.frames + exported.missing == frames)
        let report = rig.checker.check(try rig.folder.read("out"))
        #expect(report.problems.isEmpty && report.foreign == 0 && report.disorders == 0, "\(report)")
        #expect(Int64(report.places.count) == exported.frames && report.duplicated.isEmpty)
        #expect(try MediaProbe.decodingErrors(rig.folder.file("out")) == "")
    }

    @Test("No bytes in a file cause a trap or unbounded memory") func anyBytes() async throws {
        let rig = try await Rig(.opus(96))
        var generator = SplitMix64(seed: 3)
        let good = try rig.folder.read(rig.names[1])
        // Pages of one packet that never ends, with wrong checksums.
        let lacing = [UInt8](repeating: 255, count: 255)
        let mark = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22)
        let page = mark + [255] + lacing + [UInt8](repeating: 9, count: 255 * 255)
        let endless = Self.repeated(page, 60)
        let noise = Self.repeated((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }, 5)
        let marks = Self.repeated(Array("OggS\0\u{2}".utf8), 20_000)
        for middle in [noise, marks, good + endless, endless, good + noise + good, []] {
            try rig.folder.write(rig.names[1], middle)
            let exported = try rig.export(rig.excerpt())
            let report = rig.checker.check(try rig.folder.read("out"))
            #expect(report.problems.isEmpty && report.foreign == 0 && report.disorders == 0, "\(report)")
            #expect(Int64(report.places.count) == exported.frames)
        }
        for name in rig.names { try rig.folder.write(name, noise) }
        #expect(throws: RecordingExporter.Problem.self) { try rig.export(rig.excerpt()) }
        #expect(try rig.folder.read("out").isEmpty)
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var output: [UInt8] = []
        for _ in 0..<count { output += bytes }
        return output
    }
}
