// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Stations

/// Files: received whole, resumed where they broke off, paused, and ended.
struct FileTests {
    private let programme = SampleProgramme(1_000)
    private var size: Int { programme.bytes.count }

    @Test("A file arrives whole, and its end is a success") func wholeFile() async throws {
        let origin = try ScriptedOrigin([.request, whole(), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes && heard.failure == nil)
        #expect(heard.infos.map(\.kind) == [.finite] && heard.infos.first?.length == Int64(size))
        #expect(heard.airTimes.isEmpty && heard.failures.isEmpty)
        #expect(origin.acceptCount == 1)
    }

    @Test("The encoder's padding around the music is known before the first frame") func gaplessTrim() async throws {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var info: [UInt8] = [0xFF, 0xFB, 0x90, 0x44] + Array(repeating: 0, count: 32)
        info += Array("Info".utf8) + number(3) + number(1_000) + number(size + 417)
        info += Array("LAME3.100".utf8) + Array(repeating: 0, count: 12) + number(576 << 12 | 1_000).dropFirst()
        info += Array(repeating: 0, count: 417 - info.count)
        let origin = try ScriptedOrigin([.request, .fileHead(size + 417), .send(info + programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes)
        let samples = Int64(1_000 * 1_152)
        #expect(heard.infos.map(\.trim) == [GaplessTrim(start: 576 + 529, length: samples - 1_105 - 471, end: 471)])
    }

    @Test("A body that announces its length is a file if the settings say so, even without range support")
    func announcedLength() async throws {
        let cut = 100_000
        let head = OriginScript.Step.head(
            "HTTP/1.1 200 OK", ["Content-Type": "audio/mpeg", "Content-Length": "\(size)"])
        let origin = try ScriptedOrigin(
            [.request, head, .send(Array(programme.bytes[..<cut]))], [.request, head, .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"), change: { $0.takesLengthForFile = true })
        #expect(heard.audio == programme.bytes && heard.failure == nil)
        #expect(heard.infos.map(\.kind) == [.finite])
    }

    @Test("An impossible length does not make a file of a response") func impossibleLength() {
        for length in ["2147483647", "9223372036854775807", "0", "-1", "x"] {
            #expect(!ResponseClassifier.isOfLength(Self.head(200, ["content-length": length])))
        }
        #expect(ResponseClassifier.isOfLength(Self.head(200, ["content-length": "1000"])))
        #expect(!ResponseClassifier.isOfLength(Self.head(200, ["content-length": "1000", "icy-name": "A"])))
    }

    @Test("A file of very few frames is a file", arguments: [1, 3])
    func fewFrames(frames: Int) async throws {
        let short = SampleProgramme(frames).bytes
        let origin = try ScriptedOrigin([.request, .fileHead(short.count), .send(short)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == short && heard.failure == nil)
    }

    @Test(
        "A file that breaks off is resumed, and its last bytes are fetched again as proof",
        arguments: [417 * 100, 417 * 100 + 5, 300_001])
    func brokenOff(cut: Int) async throws {
        let place = Self.place(cut)
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(Array(programme.bytes[..<cut]))],
            [.request, part(from: place), .send(Array(programme.bytes[place...]))])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes && heard.failure == nil && heard.gaps.isEmpty)
        #expect(heard.discontinuities.count == 1)
        #expect(origin.requests.map { $0.header("Range") } == [nil, "bytes=\(place)-"])
        #expect(origin.requests.map { $0.header("If-Range") } == [nil, "\"v1\""])
    }

    @Test("A file that breaks off before anything is known of it is fetched anew") func earlyBreak() async throws {
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(Array(programme.bytes[..<700]))],
            [.request, whole(), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes)
        #expect(origin.requests.map { $0.header("Range") } == [nil, nil])
    }

    @Test("A server without range support sends the whole file again, and nothing is delivered twice")
    func noRanges() async throws {
        let cut = 100_000
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(Array(programme.bytes[..<cut]))],
            [.request, whole(), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes && heard.failure == nil)
    }

    @Test(
        "A server that refuses the rest of a file is asked for the whole file, and nothing is delivered twice",
        arguments: [400, 403, 404, 405, 416, 500, 501])
    func refusedRest(status: Int) async throws {
        let place = Self.place(100_000)
        let refusal = OriginScript.Step.failure(status, "No")
        // The second refusal is not about the rest.
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(Array(programme.bytes[..<100_000]))], [.request, refusal],
            [.request, .failure(404, "Not Found")], [.request, refusal],
            [.request, whole(), .send(Array(programme.bytes[..<300_000]))],
            [.request, whole(), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"), change: { $0.giveUp = .seconds(10) })
        #expect(heard.audio == programme.bytes && heard.failure == nil && heard.gaps.isEmpty)
        let rest = "bytes=\(place)-"
        #expect(origin.requests.map { $0.header("Range") } == [nil, rest, nil, rest, nil, nil])
    }

    @Test("A file whose tag has changed but whose bytes have not is the same file") func changedTag() async throws {
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(programme.frames(0..<200))],
            [.request, whole(tag: "v2"), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.bytes && heard.failure == nil && heard.gaps.isEmpty)
        #expect(origin.acceptCount == 2)
    }

    @Test("A file that is shorter than announced ends where its bytes end") func shorterFile() async throws {
        let count = programme.frames(0..<500).count
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(programme.frames(0..<500))],
            [.request, .head("HTTP/1.1 416 Range Not Satisfiable", ["Content-Range": "bytes */\(count)"])])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        #expect(heard.audio == programme.frames(0..<500) && heard.failure == nil)
    }

    /// How a response that has less than the rest of a file announces what it has.
    enum Short: CaseIterable {
        case range, rangeOfUnknown, withoutLength, chunks
    }

    @Test("A37: A file ends only at its size, however short the parts of it are", arguments: Short.allCases)
    func shortParts(short: Short) async throws {
        let ends = [100_000, 200_000, 300_000, size]
        var connections: [[OriginScript.Step]] = [[.request, whole(), .send(Array(programme.bytes[..<ends[0]]))]]
        for (begin, end) in zip(ends.map(Self.place), ends.dropFirst()) {
            let sizeText = short == .rangeOfUnknown ? "*" : "\(size)"
            let isHonest = short == .range || short == .rangeOfUnknown
            let range = "bytes \(begin)-\((isHonest ? end : size) - 1)/\(sizeText)"
            let body = Array(programme.bytes[begin..<end])
            let (field, sent) =
                switch short {
                case .range, .rangeOfUnknown: ("Content-Length: \(end - begin)\r\n", body)
                case .withoutLength: ("", body)
                case .chunks:
                    (
                        "Transfer-Encoding: chunked\r\n",
                        Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
                    )
                }
            let head = "HTTP/1.1 206 Partial Content\r\nContent-Range: \(range)\r\nETag: \"v1\"\r\n\(field)\r\n"
            connections.append([.request, .send(Array(head.utf8) + sent)])
        }
        let origin = try ScriptedOrigin(connections: connections)
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"), change: { $0.giveUp = .seconds(10) })
        #expect(heard.audio == programme.bytes && heard.failure == nil && heard.gaps.isEmpty)
        #expect(origin.acceptCount == 4)
    }

    @Test("A37: A file of which a server sends only a part is incomplete") func onlyPart() async throws {
        let place = Self.place(100_000)
        let head = OriginScript.Step.head(
            "HTTP/1.1 206 Partial Content", ["ETag": "\"v1\"", "Content-Range": "bytes \(place)-\(size - 1)/\(size)"])
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(Array(programme.bytes[..<100_000]))],
            [.request, head, .send(Array(programme.bytes[place..<100_000]))])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"), change: { $0.giveUp = .seconds(1) })
        #expect(heard.failure?.failureClass == .dropped && heard.gaps.map(\.length) == [nil], "\(heard.gaps)")
        #expect(programme.bytes.starts(with: heard.audio) && heard.infos.map(\.kind) == [.finite])
    }

    @Test("A file that is longer than announced ends at the announced length") func longerFile() async throws {
        let origin = try ScriptedOrigin([.request, .fileHead(417 * 100 + 50), .send(programme.bytes)])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"))
        // Only whole frames are delivered.
        #expect(heard.audio == programme.frames(0..<100) && heard.failure == nil)
    }

    @Test("A file of which nothing more arrives is given up, and its rest is a gap of unknown length")
    func givenUp() async throws {
        let origin = try ScriptedOrigin(
            [.request, whole(), .send(programme.frames(0..<500))], [.request, .failure(503, "Busy")])
        let heard = try await StationRig.listen(toEndOf: origin.url("/a.mp3"), change: { $0.giveUp = .seconds(1) })
        #expect(heard.failure?.failureClass == .serverBusy)
        #expect(programme.bytes.starts(with: heard.audio))
        #expect(heard.gaps.map(\.length) == [nil], "\(heard.gaps)")
    }

    @Test("A web page under a file's head is not resumed") func page() async throws {
        let page = "<!DOCTYPE html><html><body>" + String(repeating: "Nothing here. ", count: 50) + "</body></html>"
        let head = OriginScript.Step.fileHead(page.utf8.count, type: "text/html")
        let origin = try ScriptedOrigin([.request, head, .send(Array(page.utf8))])
        let heard = try await StationRig.listen(to: origin.url("/a.mp3")) { $0.failures.count >= 2 }
        #expect(heard.failures.allSatisfy { $0.failureClass == .notAudio })
        #expect(origin.requests.allSatisfy { $0.header("Range") == nil })
    }

    @Test("A paused file waits, even across a drop, and loses nothing") func paused() async throws {
        let large = SampleProgramme(8_000)
        let cut = 1_000_000
        let place = Self.place(cut)
        let head = OriginScript.Step.fileHead(large.bytes.count, tag: "v1")
        let rest = OriginScript.Step.head(
            "HTTP/1.1 206 Partial Content",
            [
                "Content-Length": "\(large.bytes.count - place)", "ETag": "\"v1\"",
                "Content-Range": "bytes \(place)-\(large.bytes.count - 1)/\(large.bytes.count)",
            ])
        let origin = try ScriptedOrigin(
            [.request, head, .send(Array(large.bytes[..<cut]))],
            [.request, rest, .send(Array(large.bytes[place...]))])
        // The sink pauses the file after every few hundred frames. The test resumes it once it has seen them.
        let full = Watched(0)
        let rig = try StationRig(.patient([origin.url("/a.mp3")])) { station, sink, event in
            guard case .chunk(let chunk) = event else { return }
            let isFull = full.change { count in
                count += chunk.frames.count
                guard count >= 300 else { return false }
                count = 0
                return true
            }
            if isFull { station.pause(for: sink) }
        }
        defer { rig.close() }
        var seen: Int64 = -1
        while true {
            let before = seen
            let heard = try await rig.wait { $0.hasEnded || $0.frames > before }
            if heard.hasEnded {
                #expect(heard.audio == large.bytes && heard.failure == nil)
                break
            }
            seen = heard.frames
            await rig.act { station, sink in station.resume(for: sink) }
        }
    }

    @Test("A station is never paused") func neverPaused() async throws {
        let origin = try ScriptedOrigin([
            .request, .icyHead(), .send(programme.frames(0..<100)),
            .pace(programme.frames(100..<140), bytesPerSecond: 40_000),
            .stall(Gate()),
        ])
        let rig = try StationRig(.patient([origin.url()])) { station, sink, _ in station.pause(for: sink) }
        defer { rig.close() }
        // The last bytes may wait in the kernel for a while.
        let heard = try await rig.wait { $0.frames >= 120 }
        #expect(programme.bytes.starts(with: heard.audio))
    }

    // MARK: The decision

    @Test("The answer to a resume request decides how the file continues") func resumeDecision() {
        let old = Self.head(200, ["etag": "\"a\"", "content-length": "1000"])
        func resume(_ status: Int, _ fields: KeyValuePairs<String, String>) -> FileResume? {
            FileResume(Self.head(status, fields), after: old, asked: 300, received: 400)
        }
        #expect(resume(206, ["content-range": "bytes 300-999/1000", "etag": "\"a\""]) == .compare(from: 300))
        #expect(resume(206, ["content-range": "bytes 400-999/1000", "etag": "\"a\""]) == .requestWhole)
        #expect(resume(206, ["content-range": "bytes 0-999/1000"]) == .requestWhole)
        #expect(resume(206, [:]) == .requestWhole)
        #expect(resume(206, ["content-range": "bytes 300-999/1000", "etag": "\"b\""]) == .requestWhole)
        #expect(resume(200, ["content-length": "1000"]) == .compare(from: 0))
        #expect(resume(200, ["content-length": "900", "etag": "\"b\""]) == .compare(from: 0))
        #expect(resume(416, ["content-range": "bytes */400"]) == .complete)
        #expect(resume(416, ["content-range": "bytes */300"]) == .requestWhole)
        #expect(resume(416, [:]) == .requestWhole)
        #expect(resume(403, [:]) == .requestWhole)
        #expect(resume(503, [:]) == nil)
        #expect(resume(206, ["content-range": "bytes 99999999999999999999-/x"]) == .requestWhole)
        let again = FileResume(Self.head(206, [:]), after: old, asked: 0, received: 400)
        #expect(again == .otherwise)
    }

    /// The place at which a file is resumed once `received` bytes have arrived.
    private static func place(_ received: Int) -> Int { (received - 1_024) / 4_096 * 4_096 }

    private static func head(_ status: Int, _ fields: KeyValuePairs<String, String>) -> ResponseHead {
        ResponseHead(status: status, fields: fields.map { ($0.key, $0.value) }, finalURL: "http://a.example/")
    }

    private func whole(tag: String = "v1") -> OriginScript.Step { .fileHead(size, tag: tag) }

    private func part(from start: Int) -> OriginScript.Step {
        .head(
            "HTTP/1.1 206 Partial Content",
            [
                "Content-Type": "audio/mpeg", "Content-Length": "\(size - start)", "ETag": "\"v1\"",
                "Content-Range": "bytes \(start)-\(size - 1)/\(size)",
            ])
    }
}
