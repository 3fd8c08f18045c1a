// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import TestSupport
import TestTools
import Testing

struct HLSScriptTests {
    static let programme = Broadcast([.music(.seconds(200))], MPEGShape(sampleRate: 48_000))

    @Test("Segments cover the programme once, whether frames straddle them or not", arguments: [true, false])
    func cuts(isAligned: Bool) {
        let run = HLSRun { ($0.isAligned, $0.segmentLength, $0.firstNumber) = (isAligned, .milliseconds(6400), 41) }
        let rendition = HLSRendition(Self.programme, runs: [run])
        let segments = rendition.cuts[0].segments
        #expect(segments.flatMap(\.places).elementsEqual(Self.programme.frames.indices))
        #expect(segments.map(\.number) == Array(41..<41 + segments.count) && segments.count == 32)
        let bodies = segments.indices.flatMap { rendition.body(ofRun: 0, segment: $0).dropFirst(73) }
        #expect(bodies == Self.programme.bytes)
        let starts = segments.count { segment in
            Self.programme.frames.contains { $0.bytes.startIndex == segment.bytes.lowerBound }
        }
        #expect(starts == (isAligned ? segments.count : 1))
    }

    @Test("A client that follows the list in virtual time gets each segment once, and its time")
    func following() throws {
        let client = HLSReader([HLSScript(HLSRendition(Self.programme, runs: [HLSRun { $0.firstNumber = 9 }]))])
        client.follow(for: .seconds(60))
        let segments = client.segments
        #expect(segments.map(\.number) == Array(63..<63 + segments.count) && segments.count >= 64)
        #expect(segments.flatMap { $0.body.dropFirst(73) } == Self.stretch(from: 54, segments.count))
        #expect(client.list.contains("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:5"))
        #expect(segments[0].body[2] == UInt8(ascii: "3") && segments[0].body[63] == UInt8(ascii: "p"))
        #expect(client.hls[0].record.requestsPerSegment < 2.2)
    }

    @Test("The first requests of a segment fail, a list stands still, and tokens die")
    func faults() throws {
        let script = HLSScript(
            HLSRendition(Self.programme, window: 12),
            faults: [
                .segments({ $0.number % 5 == 0 }, first: 2, .status(404)),
                .segments({ $0.number % 7 == 0 }, first: 1, .cut(part: 0.5, isStated: true)),
                .list(during: .seconds(80)..<(.seconds(88)), .frozen(at: .seconds(80))),
                .list(during: .seconds(90)..<(.seconds(91)), .stale(.seconds(3))),
            ]
        ).with { script in script.gate = .init { $0.deaths = [.seconds(75), .seconds(95)] } }
        let client = HLSReader([script], path: "/station.m3u8")
        client.follow(for: .seconds(60))
        let entries = client.hls[0].record.entries
        #expect(entries.count { $0.status == 403 } == 2 && entries.count { $0.asked.subject == .door } == 3)
        #expect(entries.count { $0.status == 404 } > 20)
        #expect(client.failures.contains(.truncated))
        let segments = client.segments
        #expect(segments.map(\.number) == Array(48..<48 + segments.count))
        #expect(segments.flatMap { $0.body.dropFirst(73) } == Self.stretch(from: 48, segments.count))
    }

    @Test("A run takes over where the one before has ended, and a pause of the encoder leaves exact times")
    func runs() throws {
        let paused = Self.programme.leavingOut(4000..<4250)
        let rendition = HLSRendition(
            paused,
            runs: [
                HLSRun { $0.firstNumber = 700 },
                HLSRun { ($0.takesOver, $0.name, $0.isMarked) = (.seconds(120), "b", true) },
            ])
        let places = rendition.cuts[0].segments.filter { $0.listed <= .seconds(120) }.flatMap(\.places)
        let later = rendition.cuts[1].segments.flatMap(\.places)
        #expect((places + later).elementsEqual(paused.frames.indices))
        let hole = try #require(rendition.cuts[0].segments.first { $0.followsHole })
        #expect(hole.start == Self.programme.frames[4250].start && hole.places.lowerBound == 4000)
        let before = rendition.list(at: .seconds(120), epoch: WallInstant(nanoseconds: 0))
        let during = rendition.list(at: .milliseconds(120_900), epoch: WallInstant(nanoseconds: 0))
        let after = rendition.list(at: .seconds(122), epoch: WallInstant(nanoseconds: 0))
        #expect(before == during && before?.contains("#EXT-X-MEDIA-SEQUENCE:0\n") == false)
        #expect(after?.contains("#EXT-X-MEDIA-SEQUENCE:0\n") == true && after?.contains("b0.mp3") == true)
        #expect(rendition.places(listedIn: .zero..<(.seconds(300))).count == paused.frames.count)
    }

    @Test(
        "An hour of any form passes in seconds",
        arguments: [HLSRendition.Packaging.packed, .transportStream, .fragments])
    func hour(packaging: HLSRendition.Packaging) throws {
        let programme = Broadcast.adts(.seconds(3700))
        #expect(FrameList.distinctCount(of: programme.frames.map { Array($0.bytes) }) == programme.frames.count)
        let run = HLSRun { $0.segmentLength = .milliseconds(6400) }
        let client = HLSReader([HLSScript(HLSRendition(programme, packaging, runs: [run]))])
        client.follow(for: .seconds(3600), every: .seconds(4))
        #expect(client.segments.count >= 567 && client.failures.isEmpty)
        #expect(zip(client.segments, client.segments.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
        #expect(client.hls[0].record.requestsPerSegment < 2.7)
    }

    @Test("What is encrypted is what openssl decrypts")
    func encryption() async throws {
        let (key, vector) = ((0..<16).map { UInt8($0 * 7) }, (0..<16).map { UInt8(200 + $0) })
        let folder = try TemporaryFolder("aes")
        for count in [0, 1, 15, 16, 5000] {
            let plain = Array(Self.programme.bytes.prefix(count))
            let path = try folder.write("segment", AESEncryption(key: key).encrypt(plain, vector: vector))
            let text = { (bytes: [UInt8]) in bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
            let arguments = [
                "enc", "-d", "-aes-128-cbc", "-K", text(key), "-iv", text(vector), "-in", path, "-out",
                folder.file("plain"),
            ]
            let outcome = try await onThread { try ChildProcess(.openssl, arguments).wait(within: .seconds(10)) }
            #expect(outcome.succeeded)
            #expect(try bytes(ofFile: folder.file("plain")) == plain)
        }
    }

    /// A form in which a station is sent.
    struct Form: Sendable {
        var packaging = HLSRendition.Packaging.packed
        var isAligned = true
        var key: HLSRendition.Key?
        var segmentsPerFile = 1
    }

    @Test(
        "What ffmpeg reads is what was sent",
        arguments: [
            Form(), Form(packaging: .transportStream), Form(packaging: .fragments),
            Form(packaging: .transportStream, isAligned: false, key: .init((0..<16).map { $0 })),
            Form(packaging: .transportStream, segmentsPerFile: 4),
            Form(key: .init((0..<16).map { $0 * 3 }, vector: (0..<16).map { $0 * 5 })),
        ])
    func oracle(form: Form) async throws {
        let programme = try Broadcast(try await ReferenceProgramme.make(.init(.aac(96), seconds: 30)))
        let run = HLSRun { ($0.segmentLength, $0.isAligned, $0.firstNumber) = (.seconds(2), form.isAligned, 70) }
        var rendition = HLSRendition(programme, form.packaging, runs: [run], window: 60)
        (rendition.ends, rendition.key, rendition.segmentsPerFile) = (true, form.key, form.segmentsPerFile)
        let hls = HLSSockets(HLSScript(rendition), wall: WallInstant(nanoseconds: 1_767_225_600_000_000_000))
        let origin = try ScriptedOrigin(hls, began: hls.began)
        let folder = try TemporaryFolder("hls")
        let arguments = [
            "-hide_banner", "-loglevel", "warning", "-nostdin", "-y", "-i", origin.url("/live.m3u8"), "-c", "copy",
            "-f", "adts", folder.file("copy.aac"),
        ]
        let outcome = try await onThread { try ChildProcess(.ffmpeg, arguments).wait(within: .seconds(60)) }
        #expect(outcome.succeeded && outcome.standardError.isEmpty, "\(outcome.standardError)")
        let copy = try FrameChecker(source: bytes(ofFile: folder.file("copy.aac")), container: .adts).frames
        // ffmpeg writes headers of its own around the payloads of MP4.
        #expect(copy.map { Array($0.dropFirst(7)) } == programme.frames.map { Array($0.bytes.dropFirst(7)) })
        #expect(hls.record.entries.allSatisfy { $0.status < 300 })
        // ffmpeg opens a connection for each encrypted segment.
        if form.key == nil { #expect(origin.acceptCount < hls.record.entries.count) }
    }

    @Test("Whatever the trouble, each frame is listed for a second at least", arguments: HLSTrouble.allCases)
    func troubles(trouble: HLSTrouble) throws {
        let programme = trouble.programme(Self.programme)
        let servers = trouble.servers(programme)
        for script in servers.map(\.script) {
            let places = script.variants[0].rendition.places(
                listedIn: .seconds(60)..<(.seconds(190)), forAtLeast: .seconds(1))
            let (first, last) = try (#require(places.first), #require(places.last))
            #expect(places.elementsEqual(first...last) && programme.frames[last].start > .seconds(186))
        }
        #expect((programme.frames.count < Self.programme.frames.count) == (trouble == .pause))
    }

    private static func stretch(from segment: Int, _ count: Int) -> [UInt8] {
        let segments = HLSRendition(programme).cuts[0].segments[segment..<segment + count]
        return segments.flatMap { programme.bytes[$0.bytes] }
    }
}
