// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Other programs listen for ten seconds each. Their frames and titles are compared with those that the station sent.
struct RelayClientTests {
    private let studio: Studio
    private let relay: Relaying

    init() async throws { (studio, relay) = try await Studio.relayed() }

    @Test("An exact stretch of the programme arrives at curl")
    func curl() async throws {
        let answer = try await relay.curl(seconds: 10)
        #expect(answer.status == 200 && answer.fields["icy-metaint"] == nil)
        studio.expectStretch(answer.body, seconds: 10)
        // The audio, which is the burst and ten seconds more, begins with a frame.
        #expect(answer.body.first == 0xFF)
    }

    @Test("A client that asks for metadata gets each title at the frame where the station sent it")
    func titles() async throws {
        let answer = try await relay.curl("/live", "--header", "Icy-MetaData: 1", seconds: 10)
        let interval = try #require(answer.fields["icy-metaint"].flatMap { Int($0) })
        #expect(interval == 16_000)
        let (audio, blocks) = ICYSplit.split(answer.body, interval: interval)
        let stretch = try #require(studio.expectStretch(audio, seconds: 10))
        var title: String?
        for block in blocks {
            title = block.title ?? title
            // The station sends a title between two frames, after the first frame to which the title belongs.
            let place = studio.place(ofFrameAfter: block.offset, in: stretch)
            let expected = [Studio.title(of: place), Studio.title(of: place - 1)]
            #expect(title.map { expected.contains($0) } == true, "\(title ?? "nothing") at \(place): \(expected)")
        }
        #expect(blocks.titled.count >= 2, "\(blocks)")
    }

    @Test("The program ffmpeg copies every frame, decodes without a warning, and shows name and title")
    func ffmpeg() async throws {
        let folder = try TemporaryFolder()
        async let copy = ChildProcess(
            .ffmpeg,
            ["-v", "warning", "-nostdin", "-i", relay.url(), "-t", "10", "-c", "copy", "-write_xing", "0"]
                + ["-id3v2_version", "0", folder.file("copy.mp3")]
        ).outcome(within: .seconds(60))
        async let decoding = ChildProcess(
            .ffmpeg, ["-v", "warning", "-nostdin", "-i", relay.url(), "-t", "10", "-f", "null", "-"]
        ).outcome(within: .seconds(60))
        async let probe = ChildProcess(
            .ffprobe, ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", relay.url()]
        ).outcome(within: .seconds(60))
        let (copied, decoded, probed) = try await (copy, decoding, probe)
        #expect(copied.succeeded && copied.standardError.isEmpty, "\(copied.standardError)")
        #expect(decoded.succeeded && decoded.standardError.isEmpty, "\(decoded.standardError)")
        studio.expectStretch(try folder.read("copy.mp3"), seconds: 9)
        #expect(probed.text.contains("icy-name=\(Studio.name)"), "\(probed.text)")
        #expect(probed.text.contains("StreamTitle=\(Studio.titlePrefix)"), "\(probed.text)")
    }

    @Test("The player mpg123 plays the stream without a warning, and shows the titles")
    func mpg123() async throws {
        let folder = try TemporaryFolder()
        // mpg123 decodes as fast as it gets audio.
        // In a locale without UTF-8 it shows no titles.
        let player = try ChildProcess(
            .mpg123, ["--streamdump", folder.file("dump.mp3"), "-w", folder.file("decoded.wav"), relay.url()],
            environment: ["LC_ALL": "C.UTF-8"])
        let isEnough = try await waitUntil(.seconds(60)) {
            (try? folder.read("dump.mp3").count).map { $0 > 12 * 16_000 } ?? false
        }
        #expect(isEnough)
        player.terminate()
        let outcome = try await player.outcome(within: .seconds(20))
        // The dump still contains the metadata.
        let (audio, blocks) = ICYSplit.split(try folder.read("dump.mp3"), interval: 16_000)
        studio.expectStretch(audio, seconds: 11)
        #expect(!blocks.titled.isEmpty)
        let said = outcome.standardError
        #expect(said.contains("ICY-NAME: \(Studio.name)"), "\(said)")
        #expect(said.contains("ICY-META: StreamTitle='\(Studio.titlePrefix)"), "\(said)")
        #expect(!said.lowercased().contains("warning") && !said.lowercased().contains("error"), "\(said)")
    }

    @Test("The player mpv plays the stream, records every frame, and shows the titles")
    func mpv() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await ChildProcess(
            .mpv,
            ["--no-config", "--ao=null", "--length=10", "--stream-record=\(folder.file("record.mp3"))", relay.url()]
        ).outcome(within: .seconds(60))
        #expect(outcome.succeeded, "\(outcome.text)\(outcome.standardError)")
        studio.expectStretch(try folder.read("record.mp3"), seconds: 9)
        #expect(outcome.text.contains("icy-title: \(Studio.titlePrefix)"), "\(outcome.text)")
        #expect(!outcome.text.contains("Error") && !outcome.text.contains("Invalid"), "\(outcome.text)")
    }

    @Test("The recorder streamripper gets every frame, and names its files by the titles")
    func streamripper() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await ChildProcess(
            .streamripper, [relay.url(), "-d", folder.path, "-a", "all", "-s", "-l", "10", "--quiet"]
        ).outcome(within: .seconds(60))
        let names = try folder.contents()
        let file = try #require(names.first { $0.hasSuffix("all.mp3") }, "\(names)\n\(outcome.text)")
        studio.expectStretch(try folder.read(file), seconds: 9)
        #expect(names.count { $0.contains(Studio.titlePrefix) } >= 2, "\(names)")
    }

    @Test("An Icecast relays the mount, with its titles")
    func icecast() async throws {
        let server = try await onThread { try IcecastServer(relaying: (relay.port, "/live")) }
        let isHeard = try await waitUntil(.seconds(60)) { try server.isHeard(at: "/live", bytes: 30_000) }
        try #require(isHeard)
        let answer = try await Relaying.Answer(server.url("/live"), [], seconds: 10)
        // Icecast's own burst may begin anywhere, also inside a frame.
        studio.expectStretch(answer.body, seconds: 11, mayBeginInFrame: true)
        #expect(answer.fields["icy-name"] == Studio.name)
        let status = try await Relaying.Answer(server.url("/status-json.xsl"), [])
        #expect(status.text.contains(Studio.titlePrefix), "\(status.text)")
    }

    @Test("A copy of an Opus stream by ffmpeg has every packet from the header pages on")
    func opus() async throws {
        let programme = try await ReferenceProgramme.make(.init(.opus(96), sampleRate: 48_000, seconds: 100))
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(try Broadcast(programme)))))
        let relay = try await Relaying([origin.url()])
        try await relay.waitForAudio()
        let folder = try TemporaryFolder()
        let copied = try await ChildProcess(
            .ffmpeg,
            ["-v", "warning", "-nostdin", "-i", relay.url(), "-t", "10", "-c", "copy", folder.file("copy.opus")]
        ).outcome(within: .seconds(60))
        #expect(copied.succeeded && copied.standardError.isEmpty, "\(copied.standardError)")
        let found = try programme.checker().check(try folder.read("copy.opus"))
        #expect(found.isExact && found.places.count > 450, "\(found)")
    }
}
