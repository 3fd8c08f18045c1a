// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import Storage
import TestSupport
import TestTools
import Testing

/// What a check of recorded files finds after somebody or something has changed them.
struct VerificationTests {
    static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 12), .init(.mp2(192), sampleRate: 48_000, seconds: 12), .init(.aac(96), seconds: 12),
        .init(.opus(96), sampleRate: 48_000, seconds: 12), .init(.vorbis(128), seconds: 12),
        .init(.flac, seconds: 12), .init(.nativeFLAC, seconds: 12),
    ]

    /// A folder with a recording in three files, which the rig no longer touches.
    private static func recorded(_ parameters: ReferenceProgramme.Parameters) async throws -> (RecorderRig, Library) {
        let (_, rig, _) = try await RecorderRig.threeFiles(parameters)
        return (rig, Library(path: rig.folder.path))
    }

    private static func flaws(_ segment: LibrarySegment, in library: Library) throws -> [SegmentCheck.Flaw] {
        try #require(try library.check(segment)).flaws(of: segment)
    }

    @Test("A recorded file has no flaw, and a file whose tags were edited is still the same", arguments: programmes)
    func untouched(_ parameters: ReferenceProgramme.Parameters) async throws {
        let (rig, library) = try await Self.recorded(parameters)
        for segment in try library.walk() {
            // A file's sidecar is written again once the next file has been named.
            #expect(segment.sidecar?.checksum != nil)
            #expect(try Self.flaws(segment, in: library) == [])
            let name = try #require(segment.fileName)
            let bytes = try rig.folder.read(name)
            try rig.folder.write(name, try Self.retagged(bytes, segment))
            #expect(try rig.folder.read(name) != bytes)
            #expect(try Self.flaws(segment, in: library) == [])
        }
    }

    @Test("A wrong bit in the audio is found wherever it is", arguments: programmes)
    func flipped(_ parameters: ReferenceProgramme.Parameters) async throws {
        let (rig, library) = try await Self.recorded(parameters)
        let segment = try #require(Array(try library.walk()).last)
        let name = try #require(segment.fileName)
        let bytes = try rig.folder.read(name)
        var random = SplitMix64(seed: 8)
        for _ in 0..<20 {
            var changed = bytes
            // The bit is after the head, and not in the stream number of an Ogg page.
            changed[Int.random(in: 8_192..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try rig.folder.write(name, changed)
            let flaws = try Self.flaws(segment, in: library)
            #expect(flaws.contains(.changed), "\(flaws)")
        }
    }

    @Test("A sidecar that does not fit is reported, and one without a checksum is compared as far as it goes")
    func sidecars() async throws {
        let (rig, library) = try await Self.recorded(.init(.mp3(128), seconds: 12))
        var segment = try #require(Array(try library.walk()).last)
        let whole = try #require(segment.sidecar)
        let at = try #require(whole.at)
        let (gap, beyond) = (Self.gap(at, whole.frames), Self.gap(at, whole.frames + 1))
        let before = Self.gap(at, -9)
        let changes: [((inout Sidecar) -> Void, [SegmentCheck.Flaw])] = [
            ({ $0.gaps = [gap] }, []),
            ({ $0.gaps = [gap, beyond, beyond] }, [.gapsOutside(2)]),
            ({ $0.gaps = [before, gap] }, [.gapsOutside(1)]),
            ({ $0.samples += 1 }, [.samples(whole.samples + 1)]),
            ({ $0.frames -= 1 }, [.frames(whole.frames - 1)]),
            ({ $0.bytes -= 1 }, [.bytes(whole.bytes - 1)]),
            ({ $0.checksum = whole.checksum.map { $0 ^ 1 } }, [.changed]),
            ({ $0.checksum = nil }, []),
        ]
        for (change, flaws) in changes {
            var sidecar = whole
            change(&sidecar)
            segment.description = .sidecar(try #require(Sidecar(parsing: sidecar.encoded)))
            #expect(try Self.flaws(segment, in: library) == flaws)
        }
        segment.description = .missing
        #expect(try Self.flaws(segment, in: library) == [.noSidecar])

        segment.description = .sidecar(whole)
        let name = try #require(segment.fileName)
        var bytes = try rig.folder.read(name)
        bytes[bytes.count - 100] ^= 1
        try rig.folder.write(name, bytes)
        #expect(try Self.flaws(segment, in: library) == [.changed])
        var older = whole
        older.checksum = nil
        segment.description = .sidecar(older)
        #expect(try Self.flaws(segment, in: library) == [])
    }

    private static func gap(_ at: CivilTime, _ position: Int64) -> Sidecar.Gap {
        Sidecar.Gap(at: at, milliseconds: 40, cause: "the station was away", tried: [], position: position)
    }

    /// The file with other tags, which have another length.
    private static func retagged(_ bytes: [UInt8], _ segment: LibrarySegment) throws -> [UInt8] {
        let container = try #require(segment.sidecar).format.container
        let text = String(repeating: "Another title ", count: 500)
        switch container {
        case .mpeg, .adts:
            let old = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
            #expect(bytes.starts(with: Array("ID3".utf8)))
            let tail = Array("TAGAnother title".utf8)
            return ID3v2Tag(frames: [.text(id: "TIT2", text)]).encoded(size: 16_384) + bytes[old...] + tail
                + [UInt8](repeating: 0, count: 128 - tail.count)
        case .ogg:
            var excerpt = OggExcerpt(serial: 99, title: text)
            var output: [UInt8] = []
            excerpt.begin(FrameSelection(0 ..< .max))
            _ = try excerpt.append(bytes, into: &output)
            try excerpt.endFile(into: &output)
            excerpt.finish(into: &output)
            return output
        case .flac:
            let said = FramerTranscript(of: [bytes[...]], by: FLACFramer())
            return (said.formats.last?.fileHead(comments: [("TITLE", text)])?.bytes ?? []) + said.frameBytes
        }
    }
}
