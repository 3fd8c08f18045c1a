// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import Testing

@Suite("Completing what was left behind")
struct RecoveryTests {
    /// Layer III, 128 kbit/s, 44.1 kHz, silent; the number is in the ancillary data.
    private static func frame(_ number: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: 417)
        frame.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x44])
        frame[416] = UInt8(truncatingIfNeeded: number)
        return frame
    }

    private static func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap(frame) }

    /// With what a file of ours begins.
    private static let tag = ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck 1.0")]).encoded(size: 2_048)

    private func recover(_ rig: WriterRig, depth: Int = 2) -> [RecoveredFile] {
        rig.writer.recover(writesSidecars: true, depth: depth)
        rig.pass()
        return rig.reports.flatMap { report -> [RecoveredFile] in
            if case .recovered(let files) = report { files } else { [] }
        }
    }

    @Test("cuts at the last whole frame, names, and writes a sidecar from the audio alone")
    func plain() throws {
        let rig = try WriterRig()
        try rig.folder.write("a.mp3.part", Self.tag + Self.frames(10) + Self.frame(10).prefix(200))
        let files = recover(rig)
        #expect(rig.folder.names() == ["a.json", "a.mp3"])
        #expect(rig.folder.content(of: "a.mp3") == Self.tag + Self.frames(10))
        #expect(files.map(\.outcome) == [.completed] && files.map(\.frames) == [10])
        let sidecar = try #require(rig.folder.content(of: "a.json").flatMap(Sidecar.init(parsing:)))
        #expect(sidecar.state == .interrupted && sidecar.frames == 10 && sidecar.samples == 11_520)
        #expect(sidecar.at == nil && sidecar.recording == nil)
    }

    @Test("looks into folders, but not into links and hidden ones, and at nothing but parts of recordings")
    func places() throws {
        let rig = try WriterRig()
        let elsewhere = try TemporaryFolder()
        try elsewhere.write("x.mp3.part", Self.tag + Self.frames(5))
        mkdir(rig.folder.file("2026"), 0o755)
        mkdir(rig.folder.file("2026/11"), 0o755)
        mkdir(rig.folder.file(".hidden"), 0o755)
        symlink(elsewhere.path, rig.folder.file("link"))
        symlink(elsewhere.file("x.mp3.part"), rig.folder.file("y.mp3.part"))
        try rig.folder.write("2026/11/b.mp3.part", Self.tag + Self.frames(5))
        try rig.folder.write(".hidden/c.mp3.part", Self.tag + Self.frames(5))
        try rig.folder.write("movie.mkv.part", Self.tag + Self.frames(5))
        try rig.folder.write("noise.mp3.part", Self.tag + [UInt8](repeating: 0x41, count: 5_000))
        mkdir(rig.folder.file("folder.mp3.part"), 0o755)
        let files = recover(rig)
        #expect(rig.folder.names(in: "2026/11") == ["b.json", "b.mp3"])
        #expect(rig.folder.names(in: ".hidden") == ["c.mp3.part"])
        #expect(elsewhere.names() == ["x.mp3.part"])
        #expect(rig.folder.names().contains("movie.mkv.part"))
        #expect(rig.folder.content(of: "noise.mp3.part")?.count == 7_048)
        #expect(files.count == 2 && files.contains { $0.outcome == .completed })
    }

    @Test("leaves the downloads of other programs as they are")
    func foreign() throws {
        let rig = try WriterRig()
        mkdir(rig.folder.file("music"), 0o755)
        let foreignTag = ID3v2Tag(frames: [.text(id: "TSSE", "Lavf58")]).encoded(size: 2_048)
        // One of our own files that is being copied here: complete, as its tag says.
        let wholeTag = ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck"), .text(id: "TLEN", "9")]).encoded(size: 2_048)
        let contents: [String: [UInt8]] = [
            "song.mp3.part": Self.frames(10) + Self.frame(10).prefix(200), "music/song.mp3.part": Self.frames(10),
            "tagged.mp3.part": foreignTag + Self.frames(10), "copy.mp3.part": wholeTag + Self.frames(10),
            "empty.mp3.part": [], "talk.ogg.part": Array("OggS".utf8) + [UInt8](repeating: 0, count: 5_000),
        ]
        for (name, content) in contents { try rig.folder.write(name, content) }
        try rig.folder.write("song.json", Array("{\"aircheck\": 2}".utf8))
        #expect(recover(rig).isEmpty)
        for (name, content) in contents { #expect(rig.folder.content(of: name) == content, "\(name)") }
        #expect(rig.folder.names().count == contents.count + 1)
    }

    @Test("a file without tag and sidecar is known by its attribute, where there are attributes")
    func marked() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        let slab = Slab(format: WriterRig.format, capacity: 2_000)
        for number in 0..<3 {
            _ = Self.frame(number).withUnsafeBytes { slab.append($0, .init(samples: 1_152, backReference: 0)) }
        }
        _ = rig.writer.append(SlabSlice(slab, 0..<1_251), to: file, frames: 3, samples: 3_456)
        rig.pass(.seconds(1))
        rig.writer.detach()
        rig.pass()
        let folder = try rig.system.openFolder(path: rig.folder.path, followsLink: true)
        let part = try rig.system.openFile(in: folder, name: "a.mp3.part")
        let hasAttributes = rig.system.isMarked(part, "user.aircheck")
        for descriptor in [part, folder] { rig.system.close(descriptor) }
        let next = try WriterRig(folder: rig.folder)
        #expect(recover(next).map(\.frames) == (hasAttributes ? [3] : []))
    }

    @Test("goes no deeper than names do")
    func depth() throws {
        let rig = try WriterRig()
        mkdir(rig.folder.file("a"), 0o755)
        mkdir(rig.folder.file("a/b"), 0o755)
        try rig.folder.write("a/1.mp3.part", Self.tag + Self.frames(5))
        try rig.folder.write("a/b/2.mp3.part", Self.tag + Self.frames(5))
        #expect(recover(rig, depth: 0).isEmpty)
        #expect(recover(rig, depth: 1).count == 1)
        #expect(rig.folder.names(in: "a/b") == ["2.mp3.part"])
    }

    @Test("leaves a file alone that somebody writes, also in this process")
    func locked() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(1))
        #expect(recover(rig).isEmpty)
        #expect(rig.folder.names() == ["a.mp3.part"])
    }

    @Test("never replaces anything: a taken name gets a number, and a foreign sidecar stays")
    func taken() throws {
        let rig = try WriterRig()
        try rig.folder.write("a.mp3", [1])
        try rig.folder.write("a (2).json", [2])
        try rig.folder.write("a.mp3.part", Self.tag + Self.frames(4))
        _ = recover(rig)
        #expect(rig.folder.content(of: "a.mp3") == [1])
        #expect(rig.folder.content(of: "a (2).json") == [2])
        #expect(rig.folder.content(of: "a (3).mp3") == Self.tag + Self.frames(4))
        #expect(rig.folder.names().contains("a (3).json"))
    }

    @Test("removes what never held a frame, with the sidecar that was begun for it")
    func blank() throws {
        let rig = try WriterRig()
        try rig.folder.write("a.mp3.part", ID3v2Tag(frames: [.text(id: "TIT2", "a")]).encoded(size: 2_048))
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
        try rig.folder.write(
            "a.json", Sidecar(format: format, at: nil, frames: 0, bytes: 0, samples: 0, state: .growing).encoded)
        try rig.folder.write("b.mp3.part", Self.tag)
        #expect(recover(rig).map(\.outcome) == [.removed, .removed])
        #expect(rig.folder.names() == [])
    }

    @Test("a disk that fails leaves the part for the next start", arguments: ["rename", "truncate", "pread"])
    func failing(call: String) throws {
        let rig = try WriterRig()
        try rig.folder.write("a.mp3.part", Self.tag + Self.frames(4))
        // The first read only tells whose the file is.
        let calls = Storage.Monitor(0)
        rig.system.setFault { name, _ in
            guard name == call else { return nil }
            let number = calls.withLock { count in
                count += 1
                return count
            }
            return number > (call == "pread" ? 1 : 0) ? EIO : nil
        }
        guard case .failed(let error) = try #require(recover(rig).first).outcome else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == .inputOutput)
        #expect(rig.folder.content(of: "a.mp3.part") == Self.tag + Self.frames(4))
    }

    @Test("a thousand small files share their syncs")
    func thousand() throws {
        let rig = try WriterRig()
        for index in 0..<1_000 { try rig.folder.write("\(index).mp3.part", Self.tag + Self.frames(2)) }
        #expect(recover(rig).count == 1_000)
        #expect(rig.folder.names().count == 2_000)
        #expect(rig.system.log.count { $0.hasPrefix("sync") } <= 24)
    }
}
