// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Titles between the audio, at intervals that no real server uses.
struct TitleTests {
    private let programme: ReferenceProgramme

    init() async throws { programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3)) }

    @Test(
        "The audio is the same as without metadata, and each title is at the first frame after its block",
        arguments: [1, 16, 255, 8192, 65_536])
    func titles(interval: Int) async throws {
        let checker = try programme.checker()
        let texts = ["One - First", "Two - It's \"quoted\"; really", "Ünï - Côdé"]
        let body = ICYBody(
            programme.bytes, interval: interval, titles: [(0, texts[0]), (100_000, texts[1]), (190_000, texts[2])])
        #expect(body.titleOffsets.count == 3)
        let origin = try ScriptedOrigin([.request, .icyHead(interval: interval), .send(body.bytes), .stall(Gate())])
        let folder = try TemporaryFolder()
        let report = try await Report(
            of: folder, origin.url("/radio"), "--pure", "--segment", "none", "--duration", "3s")
        #expect(origin.requests.first?.header("Icy-MetaData") == "1")
        let found = checker.check(try report.files.map { try bytes(ofFile: $0) })
        // The recording may lack the last frame, because nothing follows the frame to confirm it.
        #expect(found.first == 0 && found.isExact && found.places.count >= checker.frames.count - 1, "\(found)")
        #expect(report.titles.map(\.title) == texts)
        #expect(report.titles.map(\.position) == body.titleOffsets.map { firstFrame(startingAt: $0, in: checker) })
    }

    @Test("A head that arrives byte by byte is understood")
    func splitHead() async throws {
        let folder = try TemporaryFolder()
        let origin = try ScriptedOrigin([
            .request, .drippedHead("ICY 200 OK", ["icy-name": "Dripping", "content-type": "audio/mpeg"]),
            .send(programme.bytes), .stall(Gate()),
        ])
        let outcome = try await Aircheck.run([
            "record", origin.url(), "--pure", "--segment", "none", "--duration", "2s", "--name", "{station}", "--json",
            "--output",
            folder.path,
        ])
        let report = try Report(outcome)
        #expect(report.files == [folder.file("Dripping.mp3")])
        let found = try programme.checker().check(try bytes(ofFile: report.files[0]))
        #expect(found.isExact && found.first == 0, "\(found)")
    }

    @Test("Each title gets its own file, and the first and the last song are incomplete")
    func segments() async throws {
        let checker = try programme.checker()
        let body = ICYBody(
            programme.bytes, interval: 8192,
            titles: [(0, "Ann - One"), (80_000, "Bob - Two/../Three"), (160_000, "Cy - Four"), (160_000, "Cy - Four")])
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 8192), .send(body.bytes), .stall(Gate())])
        let folder = try TemporaryFolder()
        let report = try await Report(
            of: folder, origin.url(), "--segment", "title", "--name", "{artist}/{sequence} {title}", "--duration", "3s")
        #expect(report.files.count >= 3, "\(report.files)")
        #expect(report.files.allSatisfy { $0.hasPrefix(folder.path + "/") && !$0.contains("/../") })
        #expect(try folder.contents().count == 2 * report.files.count + 3, "a folder for each artist")
        let found = checker.check(try report.files.map { try bytes(ofFile: $0) })
        #expect(found.isExact, "\(found)")
        let songs = try report.files.map { try SidecarDocument(ofAudio: $0).wholeSong }
        #expect(songs.first == false && songs.last == false && songs.contains(true), "\(songs)")
    }

    @Test("Without --name, files are called after their songs, and the incomplete ones say so")
    func songs() async throws {
        let body = ICYBody(
            programme.bytes, interval: 8192,
            titles: [(0, "Ann - One"), (80_000, "Bob - Two/../Three"), (160_000, "Jingle"), (240_000, "Cy - 🎸")])
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 8192), .send(body.bytes), .stall(Gate())])
        let folder = try TemporaryFolder()
        let report = try await Report(
            of: folder, origin.url(), "--as", "Radio X", "--segment", "title", "--duration", "3s")
        #expect(
            report.files
                == ["Ann - One (incomplete)", "Bob - Two-..-Three", "Jingle", "Cy - 🎸 (incomplete)"].map {
                    folder.file("Radio X/\($0).mp3")
                })
        let songs = try report.files.map { try SidecarDocument(ofAudio: $0).wholeSong }
        #expect(songs == [false, true, true, false])
        let found = try programme.checker().check(try report.files.map { try bytes(ofFile: $0) })
        #expect(found.isExact, "\(found)")
    }

    /// The frame that begins at or after a byte of the stream.
    private func firstFrame(startingAt offset: Int, in checker: FrameChecker) -> Int {
        checker.frames.firstIndex { $0.startIndex >= offset } ?? checker.frames.count
    }
}
