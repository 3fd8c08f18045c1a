// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// What a list may not lead to, and what its segments may not be: refused by name.
struct HLSRefusalTests {
    private static let programme = Broadcast.adts(.seconds(60))

    private static func list(_ text: String) -> LiveScript.Answer {
        .text("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + text, type: "application/vnd.apple.mpegurl")
    }

    private static func segments(_ tags: String, at base: String = "") -> LiveScript.Answer {
        list(tags + (0..<6).map { "#EXTINF:6,\n\(base)\($0).mp3\n" }.joined())
    }

    private static func body(_ bytes: [UInt8]) -> LiveScript.Answer {
        .response(LiveHead(200, "OK", ["Content-Length": "\(bytes.count)"]), body: bytes)
    }

    // MARK: Private networks

    static let insides = ["127.0.0.1", "10.1.2.3:8080", "[::1]", "169.254.169.254", "inside.test"]

    /// What leads inside.
    enum Way: CaseIterable {
        case segment, key, section, variant, movedList, movedSegment

        func answer(to target: String, _ inside: String) -> LiveScript.Answer {
            let base = "http://\(inside)/"
            let isList = target.hasSuffix(".m3u8")
            switch self {
            case .segment where isList: return HLSRefusalTests.segments("", at: base)
            case .key where isList:
                return HLSRefusalTests.segments("#EXT-X-KEY:METHOD=AES-128,URI=\"\(base)key\"\n")
            case .section where isList: return HLSRefusalTests.segments("#EXT-X-MAP:URI=\"\(base)init.mp4\"\n")
            case .variant where isList:
                return HLSRefusalTests.list("#EXT-X-STREAM-INF:BANDWIDTH=1\n\(base)list.m3u8\n")
            case .movedList where isList: return .redirect(to: base + "list.m3u8")
            case .movedSegment where isList: return HLSRefusalTests.segments("")
            case .movedSegment: return .redirect(to: base + "segment")
            default: return .status(404)
            }
        }
    }

    @Test("A public list leads to no private network", arguments: Way.allCases, insides)
    func inside(way: Way, inside: String) throws {
        let hosts = [
            "radio.test": LiveScript { way.answer(to: $0.target, inside) }, inside: LiveScript(.status(200)),
        ]
        let station = VirtualStation(hosts: hosts, urls: ["http://radio.test/live.m3u8"]) { $0.giveUp = .seconds(30) }
        station.origin.publicHosts = ["radio.test"]
        let outcome = station.run(for: .seconds(60))
        let failure = try #require(outcome.heard.failure)
        let isRefused = ["does not connect", "leads to the private address"].contains { failure.words.contains($0) }
        #expect(failure.failureClass == .forbiddenAddress && isRefused, "\(failure.words)")
        let reached = Set(outcome.log.accepts.map(\.host))
        #expect(reached == ["radio.test"] && outcome.heard.frames == 0)
    }

    @Test("A list in a private network leads to that, and to public servers") func nearby() {
        let script = HLSScript(HLSRendition(VirtualHLSStation.programme, window: 12))
        for publicHosts: Set<String> in [[], ["edge.test"]] {
            var rendition = HLSRendition(VirtualHLSStation.programme, window: 12)
            rendition.prefix = "http://edge.test/a/"
            let hls = VirtualHLSStation(
                [("radio.test", HLSScript(rendition)), ("edge.test", script)], path: "/live.m3u8",
                of: VirtualHLSStation.programme)
            hls.station.origin.publicHosts = publicHosts
            let outcome = hls.run(for: .seconds(30))
            let (isWhole, report) = (outcome.isWhole, outcome.report.description)
            #expect(isWhole && outcome.heard.frames > 1_000, "\(report)")
        }
    }

    // MARK: Codecs and encryption

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// The tags of the list, what comes before the segments, and what the sentence says.
        var tags = ""
        var body: [UInt8] = []
        let words: [String]

        var testDescription: String { name }
    }

    private static let rendition = HLSRendition(programme, .fragments)

    /// A segment in MP4 that says what its audio is.
    private static func fragments(_ type: String) -> [UInt8] {
        var bytes = rendition.initialisation + rendition.body(ofRun: 0, segment: 0)
        let known = Array("mp4a".utf8)
        for index in bytes.indices.dropLast(4) where bytes[index..<index + 4].elementsEqual(known) {
            bytes.replaceSubrange(index..<index + 4, with: type.utf8)
        }
        return bytes
    }

    private static let key = "#EXT-X-KEY:METHOD="

    static let cases: [Case] = [
        Case(name: "Opus", body: fragments("Opus"), words: ["Opus in MP4", "does not support"]),
        Case(name: "FLAC", body: fragments("fLaC"), words: ["FLAC in MP4", "does not support"]),
        Case(name: "AC-3", body: fragments("ac-3"), words: ["AC-3 in MP4", "does not support"]),
        Case(name: "E-AC-3", body: fragments("ec-3"), words: ["E-AC-3 in MP4", "does not support"]),
        Case(name: "FairPlay in MP4", body: fragments("drms"), words: ["encrypted", "FairPlay"]),
        Case(
            name: "SAMPLE-AES", tags: key + "SAMPLE-AES,URI=\"https://keys.test/1\"\n",
            words: ["encrypted", "SAMPLE-AES"]),
        Case(
            name: "FairPlay",
            tags: key + "SAMPLE-AES,URI=\"skd://1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n",
            words: ["encrypted"]),
        Case(
            name: "Widevine",
            tags: key
                + "SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\","
                + "KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"\n", words: ["encrypted"]),
        Case(
            name: "AES-128 with a key of DRM",
            tags: key + "AES-128,URI=\"skd://1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n",
            words: ["encrypted", "com.apple.streamingkeydelivery"]),
    ]

    @Test("What cannot be read is refused by name, with one sentence, at once", arguments: cases)
    func named(bad: Case) throws {
        let script = LiveScript { visit in
            visit.target.hasSuffix(".m3u8") ? Self.segments(bad.tags) : Self.body(bad.body)
        }
        let station = VirtualStation(script, urls: ["http://radio.test/live.m3u8"]) { $0.giveUp = .seconds(60) }
        let outcome = station.run(for: .seconds(20))
        let failure = try #require(outcome.heard.failure)
        for word in bad.words { #expect(failure.words.contains(word), "\(failure.words)") }
        #expect(!failure.words.contains("\n") && outcome.heard.frames == 0)
        let requests = outcome.log.requests.count
        #expect(requests <= 4, "\(requests)")
    }
}
