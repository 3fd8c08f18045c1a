// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@Suite("Completing what was left behind")
struct RecoveryTests {
    private let rig: WriterRig

    init() throws { rig = try WriterRig() }

    private static func frame(_ number: Int) -> [UInt8] { WriterRig.frame(number) }
    private static func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap(frame) }

    /// The beginning of a file of ours.
    private static let tag = ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck 1.0")]).encoded(size: 2_048)

    /// Writes a part as a dead process leaves it: marked, if the file system has attributes.
    private func leave(_ content: [UInt8], as name: String, in folder: TemporaryFolder) throws {
        try folder.write(name, content)
        let descriptor = open(folder.file(name), O_RDWR)
        defer { close(descriptor) }
        try? LinuxFileSystem().mark(descriptor, "user.aircheck", [])
    }

    private static func isMarked(_ descriptor: CInt) -> Bool {
        let value = try? LinuxFileSystem().mark(of: descriptor, "user.aircheck", atMost: 4_096)
        return (value ?? nil) != nil
    }

    private static let growing = Sidecar(.growing).encoded

    private func recover(_ rig: WriterRig, writesSidecars: Bool = true, depth: Int = 2) -> [RecoveredFile] {
        rig.writer.recover(writesSidecars: writesSidecars, depth: depth)
        rig.pass()
        return rig.reports.flatMap { report -> [RecoveredFile] in
            if case .recovered(let files) = report { files } else { [] }
        }
    }

    @Test("Recovery searches a folder once, until something is left behind in it")
    func once() throws {
        let rig = try WriterRig(searchesAlways: false)
        try leave(Self.frames(3), as: "a.mp3.part", in: rig.folder)
        #expect(recover(rig).count == 1)
        try leave(Self.frames(3), as: "b.mp3.part", in: rig.folder)
        #expect(recover(rig).count == 1)
        rig.pass(.seconds(86_400))
        #expect(recover(rig).count == 2)
    }

    @Test("Recovery cuts a file at its last whole frame, names it, and writes a sidecar from its audio")
    func plain() throws {
        try leave(Self.tag + Self.frames(10) + Self.frame(10).prefix(200), as: "a.mp3.part", in: rig.folder)
        let files = recover(rig)
        #expect(rig.folder.names() == ["a.json", "a.mp3"])
        #expect(rig.folder.content(of: "a.mp3") == Self.tag + Self.frames(10))
        #expect(files.map(\.outcome) == [.completed] && files.map(\.frames) == [10])
        let sidecar = try #require(rig.folder.content(of: "a.json").flatMap(Sidecar.init(parsing:)))
        #expect(sidecar.state == .interrupted && sidecar.frames == 10 && sidecar.samples == 11_520)
        #expect(sidecar.at == nil && sidecar.recording == nil)
        var checksum = AudioChecksum()
        Self.frames(10).withUnsafeBytes { checksum.take($0) }
        #expect(sidecar.checksum == checksum.value)
    }

    @Test("Recovery looks for parts of recordings in subfolders, except links and hidden folders")
    func places() throws {
        let elsewhere = try TemporaryFolder()
        try leave(Self.tag + Self.frames(5), as: "x.mp3.part", in: elsewhere)
        mkdir(rig.folder.file("2026"), 0o755)
        mkdir(rig.folder.file("2026/11"), 0o755)
        mkdir(rig.folder.file(".hidden"), 0o755)
        symlink(elsewhere.path, rig.folder.file("link"))
        symlink(elsewhere.file("x.mp3.part"), rig.folder.file("y.mp3.part"))
        try leave(Self.tag + Self.frames(5), as: "2026/11/b.mp3.part", in: rig.folder)
        try leave(Self.tag + Self.frames(5), as: ".hidden/c.mp3.part", in: rig.folder)
        try leave(Self.tag + Self.frames(5), as: "movie.mkv.part", in: rig.folder)
        try leave(Self.tag + [UInt8](repeating: 0x41, count: 5_000), as: "noise.mp3.part", in: rig.folder)
        mkdir(rig.folder.file("folder.mp3.part"), 0o755)
        let files = recover(rig)
        #expect(rig.folder.names(in: "2026/11") == ["b.json", "b.mp3"])
        #expect(rig.folder.names(in: ".hidden") == ["c.mp3.part"])
        #expect(elsewhere.names() == ["x.mp3.part"])
        #expect(rig.folder.names().contains("movie.mkv.part"))
        #expect(rig.folder.content(of: "noise.mp3.part")?.count == 7_048)
        #expect(files.count == 2 && files.contains { $0.outcome == .completed })
    }

    @Test("Recovery leaves downloads of other programs unchanged")
    func foreign() throws {
        mkdir(rig.folder.file("music"), 0o755)
        let foreignTag = ID3v2Tag(frames: [.text(id: "TSSE", "Lavf58")]).encoded(size: 2_048)
        // The tag of a complete file of ours, which another program is copying here.
        let wholeTag = ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck"), .text(id: "TLEN", "9")]).encoded(size: 2_048)
        let contents: [String: [UInt8]] = [
            "song.mp3.part": Self.frames(10) + Self.frame(10).prefix(200), "music/song.mp3.part": Self.frames(10),
            "tagged.mp3.part": foreignTag + Self.frames(10), "copy.mp3.part": wholeTag + Self.frames(10),
            // Copies of a file that was interrupted, or is growing elsewhere.
            "recovered.mp3.part": Self.tag + Self.frames(10),
            "chat.opus.part": Array("OggS".utf8) + [0, 0, 8, 0, 0, 0] + Array("Aircheck".utf8),
            ".aircheck-.tmp": [1], ".aircheck-1.tmp.bak": [1], ".song.json.tmp": [1],
            "empty.mp3.part": [], "talk.ogg.part": Array("OggS".utf8) + [UInt8](repeating: 0, count: 5_000),
        ]
        for (name, content) in contents { try rig.folder.write(name, content) }
        try rig.folder.write("song.json", Array("{\"aircheck\": 2}".utf8))
        #expect(recover(rig).isEmpty)
        for (name, content) in contents { #expect(rig.folder.content(of: name) == content, "\(name)") }
        #expect(rig.folder.names().count == contents.count + 1)
    }

    @Test("A file without tag and sidecar is recognised by its extended attribute, if there are attributes")
    func marked() throws {
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
        let isMarked = Self.isMarked(part)
        for descriptor in [part, folder] { rig.system.close(descriptor) }
        let next = try WriterRig(folder: rig.folder)
        #expect(recover(next).map(\.frames) == (isMarked ? [3] : []))
        #expect(rig.folder.names().contains("a.mp3") == isMarked)
    }

    private static func withoutAttributes(_ folder: TemporaryFolder? = nil) throws -> WriterRig {
        let rig = try WriterRig(folder: folder)
        rig.system.setFault { call, _ in ["mark", "unmark", "isMarked"].contains(call) ? EOPNOTSUPP : nil }
        return rig
    }

    @Test("Without extended attributes only a sidecar marks a part as ours")
    func noAttributes() throws {
        let rig = try Self.withoutAttributes()
        let wholeTag = ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck"), .text(id: "TLEN", "9")]).encoded(size: 2_048)
        try rig.folder.write("a.mp3.part", Self.frames(10))
        try rig.folder.write("a.json", Self.growing)
        let others = [
            // Copies of a complete file, of an interrupted file and of an Ogg file.
            "b.mp3.part": wholeTag + Self.frames(10), "c.mp3.part": Self.tag + Self.frames(10),
            "d.opus.part": Array("OggS".utf8) + [8, 0, 0, 0] + Array("Aircheck".utf8),
        ]
        for (name, content) in others { try rig.folder.write(name, content) }
        #expect(recover(rig).map(\.outcome) == [.completed])
        #expect(rig.folder.names() == ["a.json", "a.mp3"] + others.keys.sorted())
        for (name, content) in others { #expect(rig.folder.content(of: name) == content, "\(name)") }
    }

    @Test("Without extended attributes, a file that keeps no sidecar has one while it grows")
    func passingSidecar() throws {
        var mark = Sidecar(.growing)
        mark.isKept = false
        let spec = SegmentFileSpec(name: "a", fileExtension: "mp3", passingSidecar: mark.encoded)
        for isComplete in [true, false] {
            let rig = try Self.withoutAttributes()
            let file = rig.writer.open(spec)
            _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
            rig.pass(.seconds(1))
            #expect(rig.folder.names() == ["a.json", "a.mp3.part"])
            if isComplete { rig.writer.close(file) } else { rig.writer.detach() }
            rig.pass()
            #expect(rig.folder.names() == (isComplete ? ["a.mp3"] : ["a.json", "a.mp3.part"]))
        }
        let file = rig.writer.open(spec)
        _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(1))
        // The temporary folder's file system may have no attributes.
        let descriptor = open(rig.folder.file("a.mp3.part"), O_RDWR)
        defer { close(descriptor) }
        let isMarked = Self.isMarked(descriptor)
        #expect(rig.folder.names() == (isMarked ? ["a.mp3.part"] : ["a.json", "a.mp3.part"]))
    }

    @Test(
        "A temporary sidecar is removed with its file's completion, unless sidecars are kept now",
        arguments: [true, false])
    func recoveredPassingSidecar(writesSidecars: Bool) throws {
        var mark = Sidecar(.growing)
        mark.isKept = false
        for name in ["a.mp3.part", "a.mp3"] {
            let rig = try Self.withoutAttributes()
            try rig.folder.write(name, Self.frames(10))
            try rig.folder.write("a.json", mark.encoded)
            #expect(recover(rig, writesSidecars: writesSidecars).map(\.outcome) == [.completed])
            #expect(rig.folder.names() == (writesSidecars ? ["a.json", "a.mp3"] : ["a.mp3"]))
            let sidecar = rig.folder.content(of: "a.json").flatMap(Sidecar.init(parsing:))
            #expect(sidecar.map { $0.state == .interrupted && $0.isKept } ?? !writesSidecars)
        }
    }

    @Test("A repair writes sidecars only for recordings that have them") func repairedSidecars() throws {
        for (isKept, names) in [(true, ["a.json", "a.mp3"]), (false, ["a.mp3"])] {
            let rig = try Self.withoutAttributes()
            var mark = Sidecar(.growing)
            mark.isKept = isKept
            try rig.folder.write("a.mp3.part", Self.frames(10))
            try rig.folder.write("a.json", mark.encoded)
            try FolderRepair(folder: rig.folder.path, system: rig.system).run { #expect($0.outcome == .completed) }
            #expect(rig.folder.names() == names)
        }
    }

    @Test("A sidecar without audio stays while a file is being made in its folder")
    func busyFolder() throws {
        try rig.folder.write("a.json", Self.growing)
        try rig.folder.write(".aircheck-1.tmp", [])
        let held = open(rig.folder.file(".aircheck-1.tmp"), O_RDWR)
        try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(recover(rig).isEmpty && rig.folder.names() == [".aircheck-1.tmp", "a.json"])
        flock(held, LOCK_UN)
        close(held)
        #expect(recover(rig).map(\.outcome) == [.removed] && rig.folder.names() == [])
    }

    /// A sidecar of a file of a show.
    private static func described(titles: [Sidecar.Title] = []) -> Sidecar {
        let at = CivilTime(WallInstant(nanoseconds: 1_795_000_000_000_000_000), utcOffset: 0)
        var sidecar = Sidecar(.growing, at: at)
        (sidecar.recording, sidecar.number, sidecar.stationID, sidecar.continues) = ("r", 3, "fip", "q")
        sidecar.show = Sidecar.Show(id: "news", name: "News", from: at, until: at)
        sidecar.titles = titles
        return sidecar
    }

    /// Begins a file of a show with three frames, which is still open.
    private func grow(_ rig: WriterRig, _ sidecar: Sidecar) -> FileID {
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3", sidecar: sidecar.encoded))
        for number in 0..<3 {
            let slab = Slab(format: WriterRig.format, capacity: 417)
            _ = Self.frame(number).withUnsafeBytes { slab.append($0, .init(samples: 1_152, backReference: 0)) }
            _ = rig.writer.append(SlabSlice(slab, 0..<417), to: file, frames: 1, samples: 1_152)
        }
        rig.pass(.seconds(1))
        return file
    }

    @Test("A part keeps its place in its recording, whatever happened to its name and its sidecar before a crash")
    func identity() throws {
        let titles = [Sidecar.Title(at: try #require(Self.described().at), position: 1, text: "A - B")]
        for (isRenamed, hasSidecar) in [(false, false), (true, false), (true, true)] {
            let rig = try WriterRig()
            _ = grow(rig, Self.described(titles: titles))
            rig.writer.detach()
            rig.pass()
            let descriptor = open(rig.folder.file("a.mp3.part"), O_RDWR)
            defer { close(descriptor) }
            // The temporary folder's file system may have no attributes.
            guard Self.isMarked(descriptor) else { return }
            if isRenamed { rename(rig.folder.file("a.mp3.part"), rig.folder.file("mine.mp3.part")) }
            if !hasSidecar { unlink(rig.folder.file("a.json")) }
            let next = try WriterRig(folder: rig.folder)
            let found = recover(next)
            let name = isRenamed ? "mine" : "a"
            #expect(found.map(\.outcome) == [.completed] && found.map(\.sidecar?.recording) == ["r"])
            #expect(rig.folder.names() == ["index", "json", "mp3"].map { "\(name).\($0)" })
            #expect(rig.folder.content(of: "\(name).mp3") == Self.frames(3))
            var expected = Self.described(titles: hasSidecar ? titles : [])
            let sidecar = try #require(rig.folder.content(of: "\(name).json").flatMap(Sidecar.init(parsing:)))
            (expected.frames, expected.bytes, expected.samples) = (3, 1_251, 3_456)
            (expected.state, expected.checksum) = (.interrupted, sidecar.checksum)
            #expect(sidecar == expected)
        }
    }

    @Test(
        "The sidecar of a growing file that was renamed is left alone, and follows the file", arguments: [true, false])
    func followed(isFinalName: Bool) throws {
        let file = grow(rig, Self.described())
        let new = isFinalName ? "mine.mp3" : "mine.mp3.part"
        rename(rig.folder.file("a.mp3.part"), rig.folder.file(new))
        if !isFinalName {
            let other = try WriterRig(folder: rig.folder)
            #expect(recover(other).isEmpty && rig.folder.names() == ["a.json", new])
        }
        rig.pass(.seconds(5))
        #expect(rig.folder.names() == ["mine.json", new])
        unlink(rig.folder.file("mine.json"))
        _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(6))
        let growing = rig.folder.content(of: "mine.json").flatMap(Sidecar.init(parsing:))
        #expect(growing == Self.described())
        rig.writer.close(file, FileEnding(sidecar: Self.described().encoded))
        rig.pass()
        #expect(rig.folder.names() == ["mine.json", "mine.mp3"])
        #expect(rig.reports.compactMap(\.finished).map(\.path) == [rig.folder.file("mine.mp3")])
    }

    @Test("A growing file that was moved to another folder is reported as that, and can be repaired there")
    func moved() throws {
        let file = grow(rig, Self.described())
        let elsewhere = try TemporaryFolder()
        rename(rig.folder.file("a.mp3.part"), elsewhere.file("a.mp3.part"))
        rig.writer.close(file, FileEnding(sidecar: Self.described().encoded))
        rig.pass()
        let errors = rig.reports.compactMap { if case .abandoned(_, _, _, let error) = $0 { error } else { nil } }
        #expect(errors.map(\.code) == [.moved])
        let next = try WriterRig(folder: elsewhere)
        let found = recover(next)
        // Without attributes, nothing identifies the file there.
        #expect(found.isEmpty || found.map(\.sidecar?.recording) == ["r"] && found.map(\.frames) == [3])
    }

    @Test("A complete file no longer has the extended attribute")
    func unmarked() throws {
        try leave(Self.tag + Self.frames(4), as: "a.mp3.part", in: rig.folder)
        let file = rig.writer.open(SegmentFileSpec(name: "b", fileExtension: "mp3"))
        _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
        rig.writer.close(file)
        _ = recover(rig)
        for name in ["a.mp3", "b.mp3"] {
            let descriptor = open(rig.folder.file(name), O_RDWR)
            defer { close(descriptor) }
            #expect(descriptor >= 0 && !Self.isMarked(descriptor))
        }
    }

    @Test("A growing sidecar beside complete audio is completed, and one without audio is removed")
    func growingSidecars() throws {
        mkdir(rig.folder.file("2026"), 0o755)
        try rig.folder.write("2026/a.mp3", Self.tag + Self.frames(7))
        try rig.folder.write("2026/a.json", Self.growing)
        try rig.folder.write("b.json", Self.growing)
        try rig.folder.write("c.json", Array("{\"state\": \"growing\"}".utf8))
        let files = recover(rig, depth: 0)
        #expect(files.map(\.outcome) == [.removed, .completed] && files.map(\.frames) == [0, 7])
        #expect(rig.folder.names() == ["2026", "c.json"] && rig.folder.names(in: "2026") == ["a.json", "a.mp3"])
        #expect(rig.folder.content(of: "2026/a.mp3") == Self.tag + Self.frames(7))
        let sidecar = try #require(rig.folder.content(of: "2026/a.json").flatMap(Sidecar.init(parsing:)))
        #expect(sidecar.state == .interrupted && sidecar.frames == 7)
        #expect(recover(rig, depth: 0).count == 2)
    }

    @Test("Foreign and repeated spans in a sidecar end where the audio was cut")
    func cutStretches() throws {
        var sidecar = Sidecar(.growing, frames: 40, samples: 0)
        let time = try #require(CivilTime(rfc3339: "2026-11-21T08:00:00Z"))
        func stretch(_ position: Int64, _ frames: Int64) -> Sidecar.Stretch {
            Sidecar.Stretch(at: time, milliseconds: 26 * frames, position: position, frames: frames)
        }
        sidecar.foreign = [stretch(1, 2), stretch(5, 20), stretch(30, 5)]
        sidecar.repeated = [stretch(9, 3), stretch(10, 3)]
        try rig.folder.write("a.json", sidecar.encoded)
        try leave(Self.tag + Self.frames(10), as: "a.mp3.part", in: rig.folder)
        #expect(recover(rig).map(\.frames) == [10])
        let cut = try #require(rig.folder.content(of: "a.json").flatMap(Sidecar.init(parsing:)))
        #expect(cut.foreign == [stretch(1, 2), stretch(5, 5)] && cut.repeated == [stretch(9, 1)])
    }

    @Test("Our temporary files are removed, unless they are being written")
    func temporaryFiles() throws {
        mkdir(rig.folder.file("sub"), 0o755)
        for name in [".aircheck-1.tmp", "sub/.aircheck-12.tmp", "sub/.aircheck-3.tmp"] {
            try rig.folder.write(name, [1])
        }
        let held = open(rig.folder.file("sub/.aircheck-3.tmp"), O_RDWR)
        defer { close(held) }
        try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(recover(rig, depth: 0).isEmpty)
        #expect(rig.folder.names() == ["sub"] && rig.folder.names(in: "sub") == [".aircheck-3.tmp"])
    }

    @Test("A part that already has its final name loses its part name")
    func twoNames() throws {
        try leave(Self.tag + Self.frames(4), as: "a.mp3.part", in: rig.folder)
        try rig.folder.write("a.json", Self.growing)
        link(rig.folder.file("a.mp3.part"), rig.folder.file("a.mp3"))
        #expect(recover(rig).map(\.frames) == [4] && rig.folder.names() == ["a.json", "a.mp3"])
        #expect(rig.folder.content(of: "a.json").flatMap(Sidecar.init(parsing:))?.state == .interrupted)
    }

    @Test("A sidecar that was renamed before its audio is found under the new name")
    func strayedSidecar() throws {
        var sidecar = Sidecar(.growing)
        sidecar.recording = "rec-1"
        try rig.folder.write("a.mp3", [1])
        try rig.folder.write("a (2).json", sidecar.encoded)
        try leave(Self.tag + Self.frames(4), as: "a.mp3.part", in: rig.folder)
        #expect(recover(rig).map(\.frames) == [4])
        #expect(rig.folder.names() == ["a (2).json", "a (2).mp3", "a.mp3"])
        let found = try #require(rig.folder.content(of: "a (2).json").flatMap(Sidecar.init(parsing:)))
        #expect(found.recording == "rec-1" && found.state == .interrupted && found.frames == 4)
    }

    @Test("Recovery searches all folders that earlier name templates may have made")
    func depth() throws {
        var path = "a"
        for _ in 0..<7 {
            mkdir(rig.folder.file(path), 0o755)
            try leave(Self.tag + Self.frames(5), as: path + "/1.mp3.part", in: rig.folder)
            path += "/a"
        }
        #expect(recover(rig, depth: 0).count == 7)
    }

    @Test("Recovery searches other disks only as deep as the present template goes")
    func otherDisks() throws {
        mkdir(rig.folder.file("a"), 0o755)
        mkdir(rig.folder.file("a/b"), 0o755)
        try leave(Self.tag + Self.frames(5), as: "a/1.mp3.part", in: rig.folder)
        try leave(Self.tag + Self.frames(5), as: "a/b/2.mp3.part", in: rig.folder)
        rig.system.setFault { call, _ in call == "device" ? ENODEV : nil }
        #expect(recover(rig, depth: 0).isEmpty)
        #expect(recover(rig, depth: 1).count == 1 && rig.folder.names(in: "a/b") == ["2.mp3.part"])
    }

    @Test("Recovery leaves a file that is being written, even by this process")
    func locked() throws {
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        _ = rig.writer.append(WriterRig.slice(1, 417), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(1))
        #expect(recover(rig).isEmpty && rig.folder.names() == ["a.mp3.part"])
    }

    @Test("Recovery replaces nothing: a taken name gets a number, and a foreign sidecar stays")
    func taken() throws {
        try rig.folder.write("a.mp3", [1])
        try rig.folder.write("a (2).json", [2])
        try leave(Self.tag + Self.frames(4), as: "a.mp3.part", in: rig.folder)
        _ = recover(rig)
        #expect(rig.folder.content(of: "a.mp3") == [1])
        #expect(rig.folder.content(of: "a (2).json") == [2])
        #expect(rig.folder.content(of: "a (3).mp3") == Self.tag + Self.frames(4))
        #expect(rig.folder.names().contains("a (3).json"))
    }

    @Test("A part that never held a frame is removed, and so is its sidecar")
    func blank() throws {
        try leave(ID3v2Tag(frames: [.text(id: "TIT2", "a")]).encoded(size: 2_048), as: "a.mp3.part", in: rig.folder)
        try rig.folder.write("a.json", Self.growing)
        try leave(Self.tag, as: "b.mp3.part", in: rig.folder)
        #expect(recover(rig).map(\.outcome) == [.removed, .removed] && rig.folder.names() == [])
    }

    @Test("A failing disk leaves the part for the next start", arguments: ["rename", "truncate", "pread"])
    func failing(call: String) throws {
        try leave(Self.tag + Self.frames(4), as: "a.mp3.part", in: rig.folder)
        rig.system.setFault { name, _ in name == call ? EIO : nil }
        guard case .failed(let error) = try #require(recover(rig).first).outcome else { throw SetupError("not failed") }
        #expect(error.code == .inputOutput)
        #expect(rig.folder.content(of: "a.mp3.part") == Self.tag + Self.frames(4))
    }

    @Test("On a full disk, a file is completed as long as its sidecar has room; else it is when it is looked for again")
    func fullDisk() throws {
        let rig = try WriterRig(searchesAlways: false)
        func leave(_ name: String) throws {
            try self.leave(Self.tag + Self.frames(4), as: "\(name).mp3.part", in: rig.folder)
            try rig.folder.write("\(name).json", Self.growing)
        }
        func state(_ name: String) -> Sidecar.State? {
            rig.folder.content(of: "\(name).json").flatMap(Sidecar.init(parsing:))?.state
        }
        try leave("a")
        rig.system.setErrors(["create": ENOSPC, "createPrivate": ENOSPC])
        #expect(recover(rig).map(\.outcome) == [.completed] && state("a") == .interrupted)
        try leave("b")
        rig.system.setFault { name, _ in name == "pwrite" ? ENOSPC : nil }
        rig.writer.recover(writesSidecars: true, depth: 2, again: true)
        let failed = try #require(recover(rig).dropFirst().first)
        guard case .failed(let error) = failed.outcome else { throw SetupError("\(failed)") }
        // The file has got its name.
        #expect(error.code == .noSpace && failed.path == rig.folder.file("b.mp3") && state("b") == .growing)
        #expect(rig.folder.names().contains("b.mp3"))
        rig.system.setFault { _, _ in nil }
        rig.writer.recover(writesSidecars: true, depth: 2, again: true)
        #expect(recover(rig).last?.outcome == .completed && state("b") == .interrupted)
    }

    @Test("A thousand small files share their syncs")
    func thousand() throws {
        for index in 0..<1_000 { try leave(Self.tag + Self.frames(2), as: "\(index).mp3.part", in: rig.folder) }
        #expect(recover(rig).count == 1_000 && rig.folder.names().count == 2_000)
        #expect(rig.system.log.count { $0.hasPrefix("sync") } <= 24)
    }
}
