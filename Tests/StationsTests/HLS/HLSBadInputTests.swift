// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Servers that send nonsense: a station is given up with one sentence that says why, after few requests.
struct HLSBadInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// The list; everything else is a segment or a key.
        let list: LiveScript.Answer
        let rest: LiveScript.Answer
        /// What the sentence contains.
        let words: [String]

        init(_ name: String, _ list: String, _ rest: LiveScript.Answer = .status(404), says words: String...) {
            self.name = name
            self.list = .text("#EXTM3U\n\(list)", type: "application/vnd.apple.mpegurl")
            (self.rest, self.words) = (rest, words)
        }

        var testDescription: String { name }
    }

    private static func segments(_ count: Int, tags: String = "") -> String {
        "#EXT-X-TARGETDURATION:6\n\(tags)\n" + (0..<count).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
    }

    private static func body(_ bytes: [UInt8]) -> LiveScript.Answer {
        let head = LiveHead(200, "OK", ["Content-Type": "video/mp2t", "Content-Length": "\(bytes.count)"])
        return .response(head, body: bytes)
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: 9)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\""
    private static let programme = Broadcast([.music(.seconds(300))], MPEGShape(sampleRate: 48_000))

    static let cases: [Case] = [
        Case("a list of 10 MB", segments(600_000), says: "list", "too long"),
        Case("100,000 segments that are not there", segments(100_000), says: "404"),
        Case("noise", segments(6), body(noise(60_000)), says: "segment"),
        Case(
            "web pages", segments(6), .text("<!DOCTYPE html><html><body>gone</body></html>", type: "text/html"),
            says: "segment"),
        Case("masters in a circle", "#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8\n", says: "list"),
        Case("a master without variants", "#EXT-X-STREAM-INF:BANDWIDTH=1\n", says: "no variants"),
        Case("an empty list", "#EXT-X-TARGETDURATION:6\n", says: "list"),
        Case("a key of five bytes", segments(6, tags: key), body([1, 2, 3, 4, 5]), says: "key"),
        Case("a key that does not come", segments(6, tags: key), .silence, says: "key.bin", "in time"),
        Case("a segment of 17 MiB", segments(6), body([UInt8](repeating: 0x47, count: 17 << 20)), says: "too long"),
        Case("a segment without end", segments(6), .stream(LiveStream(programme)), says: "too long"),
        Case(
            "SAMPLE-AES", segments(6, tags: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\""), says: "encrypted",
            "SAMPLE-AES"),
        Case("addresses of another scheme", "#EXTINF:6,\nftp://radio.test/1.ts\n", says: "ftp"),
    ]

    @Test("Nonsense is refused with a sentence, after few requests", arguments: cases) func refused(bad: Case) throws {
        let script = LiveScript { $0.target.hasSuffix(".m3u8") ? bad.list : bad.rest }
        let station = VirtualStation(script, urls: ["http://radio.test/live.m3u8"]) { $0.giveUp = .seconds(60) }
        let outcome = station.run(for: .seconds(120))
        let failure = try #require(outcome.heard.failure, "\(outcome)")
        for word in bad.words { #expect(failure.words.contains(word), "\(failure.words)") }
        #expect(outcome.heard.frames == 0 && !failure.words.contains("\n"))
        let times = outcome.log.requests.map(\.at)
        var most = 0
        for (index, time) in times.enumerated() {
            most = max(most, times[index...].prefix { $0 - time < .seconds(10) }.count)
        }
        #expect(most <= 60, "\(most)")
    }

    @Test("Claims of hours are not believed", arguments: ["time", "length"]) func claims(what: String) {
        let frames = Self.programme.frames.map { Array($0.bytes) }
        let began = Duration.seconds(60)
        let script = LiveScript { visit in
            // Segments of 100 frames, 2.4 s each.
            let count = Int((began + visit.time) / .milliseconds(2_400))
            if visit.target.hasSuffix(".m3u8") {
                let length = what == "length" ? "80000" : "2.4"
                let list = (count - 6..<count).map { "#EXTINF:\(length),\n\($0).mp3\n" }.joined()
                let head = "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXT-X-MEDIA-SEQUENCE:\(count - 6)\n"
                return .text(head + list, type: "application/vnd.apple.mpegurl")
            }
            guard let number = Int(visit.target.dropFirst().prefix { $0 != "." }) else { return .status(404) }
            let time = Int64(number) * 216_000 + (what == "time" && number % 9 == 0 ? 90_000 * 7_200 : 0)
            return Self.body(PackedAudioSegment.bytes(frames[number * 100..<number * 100 + 100], time: time))
        }
        let station = VirtualStation(
            script, hearing: HeardFrames(of: Self.programme), urls: ["http://radio.test/live.m3u8"], isPatient: true)
        let outcome = station.run(for: .seconds(120))
        #expect(outcome.report.exactStretch != nil && outcome.heard.gaps.isEmpty, "\(outcome)")
        #expect(outcome.heard.frames > 4_000 && outcome.heard.failure == nil, "\(outcome)")
    }
}
