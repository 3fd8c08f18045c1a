// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import MediaSources

@Suite struct FileTests {
    @Test("Names are sorted in natural order") func order() {
        let names = ["b.mp3", "10.mp3", "2.mp3", "A.mp3", "02 x.mp3", "1.mp3", "Track 9", "Track 10", "track 8"]
        #expect(
            NaturalOrder.sorted(names) == [
                "1.mp3", "02 x.mp3", "2.mp3", "10.mp3", "A.mp3", "b.mp3", "track 8", "Track 9", "Track 10",
            ])
    }

    @Test(
        "A file without a tag gets its title from its name",
        arguments: [
            ("Artist - Song.mp3", "Artist - Song"), ("album/07 - Artist_-_Song.mp3", "Artist - Song"),
            ("01. Song.mp3", "Song"), ("99 Luftballons.mp3", "99 Luftballons"), ("1999.mp3", "1999"),
            ("FIP 2026-01-01 10-00-00+0100.mp3.part", "FIP 2026-01-01 10-00-00+0100"), (".mp3", ".mp3"), ("", ""),
            ("03 - .mp3", "03 -"), ("two\u{7}\nlines.ogg", "two lines"),
        ])
    func titleByName(name: String, title: String) {
        #expect(FileTitle.title(ofFile: name) == title)
    }

    @Test("A folder is searched to its bottom, in order, without hidden files and files that are no audio")
    func folder() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a 10", "a 2", "a 2/deep", ".hidden"] { mkdir(folder.file(name), 0o755) }
        let names = [
            "z.mp3", "a 2/2.mp3", "a 2/10.mp3", "a 2/deep/x.ogg", "a 10/1.mp3", ".hidden/no.mp3", ".no.mp3",
            "b/cover.JPG", "b/list.m3u", "b/rec.mp3.part", "b/rec.json", "notes.txt",
        ]
        for name in names { try folder.write(name, "x") }
        mkfifo(folder.file("fifo.mp3"), 0o600)
        symlink("nowhere", folder.file("broken.mp3"))
        symlink("..", folder.file("b/loop"))
        symlink("a 2", folder.file("again"))
        let scan = FolderScan(folder.path)
        #expect(
            scan.files.map(\.name) == [
                "a 2/2.mp3", "a 2/10.mp3", "a 2/deep/x.ogg", "a 10/1.mp3", "b/rec.mp3.part", "notes.txt", "z.mp3",
            ])
        #expect(scan.skipped.isEmpty)
    }

    @Test("C22: A title in the tag of a file is repaired") func tag() throws {
        let folder = try TemporaryFolder()
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "odcie&#324;")]).encoded(size: 256)
        try folder.write("a.mp3", tag + SampleProgramme(100).bytes)
        let playout = Playout(FileSupply(.paths([folder.file("a.mp3")]), stop: try StopFlag()), repeats: true)
        #expect(said(playout, titles: 1) == ["odcień"])
    }

    @Test("H21: A file whose name is not UTF-8 is played, and its title is read as Windows-1252") func notUTF8() throws
    {
        let folder = try TemporaryFolder()
        let music = SampleProgramme(100)
        mkdir(folder.file("album"), 0o755)
        try folder.write("album/1.mp3", music.bytes)
        for (name, ending) in [("caf", ".mp3"), ("cover", ".jpg")] {
            let path = Array(folder.file("album/" + name).utf8) + [0xE9] + Array(ending.utf8) + [0]
            let descriptor = path.withUnsafeBytes {
                open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
            }
            try #require(descriptor >= 0)
            _ = music.bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
        // Lists name the file by its bytes, or percent-encode these.
        try folder.write("latin.m3u", Array("album/caf".utf8) + [0xE9] + Array(".mp3\n".utf8))
        try folder.write("percent.m3u", "file://\(folder.file("album/caf%E9.mp3"))\n")
        for path in [
            folder.path, PathText.text(of: Array(folder.file("album/caf").utf8) + [0xE9] + Array(".mp3".utf8)),
            folder.file("latin.m3u"), folder.file("percent.m3u"),
        ] {
            let playout = Playout(FileSupply(.paths([path]), stop: try StopFlag()), repeats: true)
            let titles = path == folder.path ? ["1", "café", "1", "café"] : ["café", "café", "café", "café"]
            #expect(said(playout, titles: 4) == titles)
        }
    }

    @Test("Nested folders are searched to a limited depth") func deepFolders() throws {
        let folder = try TemporaryFolder()
        var path = folder.path
        for depth in 0..<40 {
            try folder.write(String(path.dropFirst(folder.path.count)) + "/\(depth).mp3", "x")
            path += "/d"
            mkdir(path, 0o755)
        }
        #expect(FolderScan(folder.path).files.count == FolderScan.deepest + 1)
    }

    @Test("Each round sees added, removed and repaired files") func rounds() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (SampleProgramme(100, seed: 1), SampleProgramme(100, seed: 2))
        try folder.write("1.mp3", one.bytes)
        try folder.write("3.mp3", "this is not music, and it is long enough to tell")
        let playout = Playout(FileSupply(.paths([folder.path]), stop: try StopFlag()), repeats: true)
        #expect(said(playout, titles: 3) == ["1", "skipped 3.mp3", "1", "1"])
        try folder.write("2.mp3", two.bytes)
        try folder.write("3.mp3", two.bytes)
        #expect(said(playout, titles: 6) == ["1", "2", "3", "1", "2", "3"])
        unlink(folder.file("1.mp3"))
        #expect(said(playout, titles: 6).suffix(4) == ["2", "3", "2", "3"])
    }

    /// Titles and skipped items, until `titles` titles have been reported and the last of these songs has begun.
    private func said(_ playout: Playout, titles: Int) -> [String] {
        var said: [String] = []
        var titlesLeft = titles
        while true {
            switch playout.next() {
            case .parts(let parts):
                let titles = PlayedParts(parts).titles
                said += titles
                titlesLeft -= titles.count
                if titlesLeft == 0 { return said }
            case .skipped(let item, _): said.append("skipped \(item)")
            case .ended: return said + ["ended"]
            case .idle: return said + ["idle"]
            case .leftOut, .opened, .mayBeIncomplete, nil: break
            }
        }
    }

    @Test("A folder that is emptied while it plays is searched again later") func emptiedFolder() throws {
        let folder = try TemporaryFolder()
        let music = SampleProgramme(200)
        try folder.write("1.mp3", music.bytes)
        let playout = Playout(FileSupply(.paths([folder.path]), stop: try StopFlag()), repeats: true)
        #expect(said(playout, titles: 1) == ["1"])
        unlink(folder.file("1.mp3"))
        #expect(said(playout, titles: 3).last == "idle")
        try folder.write("2.mp3", music.bytes)
        #expect(said(playout, titles: 2) == ["2", "2"])
    }

    @Test("A source without any playable file is a failure") func nothingPlayable() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.file("nothing"), try folder.write("x.txt", "words, words, words")] {
            let playout = Playout(FileSupply(.paths([path]), stop: try StopFlag()), repeats: true)
            #expect(said(playout, titles: 1).last == "ended")
        }
    }

    @Test("A playlist names files relative to its folder, and its addresses are skipped") func playlist() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.file("music"), 0o755)
        let music = SampleProgramme(10)
        for name in ["music/ä 1.mp3", "music/2.mp3", "3.mp3"] { try folder.write(name, music.bytes) }
        let list = """
            #EXTM3U
            #EXTINF:3,From the list
            music/ä 1.mp3

            music\\2.mp3
            file://\(folder.path)/music/%C3%A4%201.mp3
            http://user:secret@radio.example/x?token=1
            \(folder.path)/3.mp3
            """
        let path = try folder.write("list.m3u8", list)
        var skipped: [String] = []
        let supply = FileSupply(.paths([path]), stop: try StopFlag())
        let items = supply.round { name, _ in skipped.append(name) }
        #expect(items.map(\.name) == ["ä 1.mp3", "2.mp3", "ä 1.mp3", "3.mp3"])
        #expect(items.map(\.title) == ["From the list", "2", "ä 1", "3"])
        #expect(items.allSatisfy { $0.fileIdentity != nil })
        #expect(skipped == ["http://radio.example/x"])
    }

    @Test("Bare lists, PLS and XSPF are playlists, too") func playlistFormats() throws {
        let folder = try TemporaryFolder()
        try folder.write("a b.mp3", SampleProgramme(10).bytes)
        let lists = [
            ("bare.m3u", "a b.mp3\n"), ("x.pls", "[playlist]\nFile1=a b.mp3\nTitle1=T\nNumberOfEntries=1\n"),
            (
                "y.xspf",
                "<?xml version=\"1.0\"?><playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track>"
                    + "<location>a%20b.mp3</location></track></trackList></playlist>"
            ),
        ]
        for (name, text) in lists {
            let supply = FileSupply(.paths([try folder.write(name, text)]), stop: try StopFlag())
            let items = supply.round { name, reason in Issue.record("\(name): \(reason)") }
            #expect(items.map(\.name) == ["a b.mp3"] && items.allSatisfy { $0.fileIdentity != nil }, "\(name)")
        }
    }

    @Test("A repeated file gives the same bytes again, and all of them after it has grown") func repeatedFile() throws {
        let folder = try TemporaryFolder()
        let music = SampleProgramme(300)
        let path = try folder.write("rec.mp3.part", music.frames(0..<100))
        let playout = Playout(FileSupply(.paths([path]), stop: try StopFlag()), repeats: true)
        #expect(frames(playout, 100).starts(with: music.frames(0..<100)))
        try folder.write("rec.mp3.part", music.bytes)
        #expect(frames(playout, 700).suffix(music.bytes.count * 2).firstRange(of: music.bytes) != nil)
    }

    /// The bytes of at least `count` frames.
    private func frames(_ playout: Playout, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var frames = 0
        while frames < count {
            if case .parts(let parts) = playout.next() {
                bytes += PlayedParts(parts).bytes
                frames += parts.frames
            }
        }
        return bytes
    }
}
