// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import TestTools
import Testing

/// MP4 files at a station's address whose index stands behind their audio.
struct FileIndexTests {
    private static func file() async throws -> (programme: Broadcast, body: [UInt8]) {
        let programme = try await ReferenceProgramme.make(.init(.aac(96), seconds: 30))
        let folder = try TemporaryFolder()
        let made = try await ChildProcess(
            .ffmpeg,
            ["-v", "error", "-i", programme.path, "-c", "copy", "-bsf:a", "aac_adtstoasc", folder.file("a.m4a")]
        ).outcome(within: .seconds(30))
        #expect(made.succeeded)
        return (try Broadcast(programme), try folder.read("a.m4a"))
    }

    /// A server of a file, which sends parts of it if `sendsParts`, and drops its second part after `cut` bytes.
    private static func server(_ body: [UInt8], sendsParts: Bool, cut: Int? = nil) -> LiveScript {
        LiveScript { visit in
            guard sendsParts, let first = visit.resumeAt else {
                let fields: KeyValuePairs = ["Content-Type": "audio/mp4", "Content-Length": "\(body.count)"]
                return .response(LiveHead(200, "OK", fields), body: body)
            }
            let head = LiveHead(
                206, "Partial Content",
                [
                    "Content-Type": "audio/mp4", "Content-Length": "\(body.count - first)", "ETag": "\"1\"",
                    "Content-Range": "bytes \(first)-\(body.count - 1)/\(body.count)",
                ])
            let isCut = first < 10_000
            return .response(head, body: Array(body[first...].prefix(isCut ? cut ?? .max : .max)))
        }
    }

    @Test("The audio comes as a whole, and goes on where it broke off", arguments: [nil, 150_000])
    func received(cut: Int?) async throws {
        let (programme, body) = try await Self.file()
        let station = VirtualStation(
            Self.server(body, sendsParts: true, cut: cut), hearing: HeardFrames(of: programme),
            urls: ["http://radio.test/file"], isPatient: true)
        let outcome = station.run(for: .seconds(60))
        let (isWhole, failure, report) = (outcome.isWhole, outcome.heard.failure, outcome.description)
        #expect(isWhole && failure == nil, "\(report)")
        #expect(outcome.report.places.count == programme.frames.count)
        #expect(station.requests.count < (cut == nil ? 8 : 10), "\(station.requests)")
    }

    @Test("A server that sends no parts is named, with what to do") func noParts() async throws {
        let (_, body) = try await Self.file()
        let station = VirtualStation(Self.server(body, sendsParts: false), urls: ["http://radio.test/file"]) {
            $0.giveUp = .seconds(10)
        }
        let outcome = station.run(for: .seconds(60))
        let words = (outcome.heard.failures + [outcome.heard.failure].compactMap(\.self)).map(\.words)
        let isNamed = !words.isEmpty && words.allSatisfy { $0.contains("index") && $0.contains("download") }
        #expect(isNamed, "\(words) \(station.requests)")
    }
}
