// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

@testable import Stations

/// Files that are requested from their middle on.
struct FileBeginTests {
    private let programme = SampleProgramme(1_000)
    private var size: Int { programme.bytes.count }
    private let place = 417 * 400

    @Test("A file begins at the requested byte, and the request carries its tag") func requestedBegin() async throws {
        let origin = try ScriptedOrigin([.request, part(from: place), .send(Array(programme.bytes[place...]))])
        let heard = try await listen(origin)
        #expect(heard.audio == Array(programme.bytes[place...]) && heard.failure == nil)
        #expect(heard.infos.map(\.kind) == [.finite])
        #expect(origin.requests.map { $0.header("Range") } == ["bytes=\(place)-"])
        #expect(origin.requests.map { $0.header("If-Range") } == ["\"v1\""])
    }

    @Test(
        "A file that breaks off after a begin in its middle is resumed where it broke off",
        arguments: [417 * 100 + 5, 700, 300])
    func brokenOff(cut: Int) async throws {
        let again = place + max(0, cut - 1_024) / 4_096 * 4_096
        let origin = try ScriptedOrigin(
            [.request, part(from: place), .send(Array(programme.bytes[place..<place + cut]))],
            [.request, part(from: again), .send(Array(programme.bytes[again...]))])
        let heard = try await listen(origin)
        #expect(heard.audio == Array(programme.bytes[place...]))
        #expect(origin.requests.map { $0.header("Range") } == ["bytes=\(place)-", "bytes=\(again)-"])
    }

    @Test("A37: A part that ends before the file does is continued") func shortPart() async throws {
        let end = place + 417 * 100 + 5
        let again = place + (end - place - 1_024) / 4_096 * 4_096
        let short = OriginScript.Step.head(
            "HTTP/1.1 206 Partial Content",
            [
                "Content-Type": "audio/mpeg", "Content-Length": "\(end - place)", "ETag": "\"v1\"",
                "Content-Range": "bytes \(place)-\(end - 1)/\(size)",
            ])
        let origin = try ScriptedOrigin(
            [.request, short, .send(Array(programme.bytes[place..<end]))],
            [.request, part(from: again), .send(Array(programme.bytes[again...]))])
        let heard = try await listen(origin)
        #expect(heard.audio == Array(programme.bytes[place...]) && heard.failure == nil)
        #expect(origin.requests.map { $0.header("Range") } == ["bytes=\(place)-", "bytes=\(again)-"])
    }

    @Test("If the rest of a part is refused, the whole file is read past what was received")
    func refusedRest() async throws {
        let cut = 417 * 100 + 5
        let whole = OriginScript.Step.head(
            "HTTP/1.1 200 OK", ["Content-Type": "audio/mpeg", "Content-Length": "\(size)", "ETag": "\"v1\""])
        let origin = try ScriptedOrigin(
            [.request, part(from: place), .send(Array(programme.bytes[place..<place + cut]))],
            [.request, .failure(403, "Forbidden")], [.request, whole, .send(programme.bytes)])
        let heard = try await listen(origin)
        #expect(heard.audio == Array(programme.bytes[place...]) && heard.failure == nil)
        #expect(origin.requests.map { $0.header("Range") != nil } == [true, true, false])
    }

    @Test("A part that begins elsewhere than requested is not delivered") func otherBegin() async throws {
        let origin = try ScriptedOrigin(
            [.request, part(from: place + 417), .send(Array(programme.bytes[(place + 417)...]))])
        let heard = try await listen(origin)
        #expect(heard.audio.isEmpty && heard.failure != nil)
    }

    @Test("A server that sends the whole file instead of a part fails the file") func wholeInstead() async throws {
        let origin = try ScriptedOrigin([.request, .fileHead(size, tag: "v2"), .send(programme.bytes)])
        let heard = try await listen(origin)
        #expect(heard.audio.isEmpty && heard.failure != nil)
    }

    private func listen(_ origin: ScriptedOrigin) async throws -> Heard {
        let place = place
        return try await StationRig.listen(to: origin.url("/a.mp3")) {
            $0.fileBegin = FileBegin(byte: Int64(place), validator: "\"v1\"")
            $0.giveUp = .seconds(5)
        } until: {
            $0.hasEnded
        }
    }

    private func part(from start: Int) -> OriginScript.Step {
        .head(
            "HTTP/1.1 206 Partial Content",
            [
                "Content-Type": "audio/mpeg", "Content-Length": "\(size - start)", "ETag": "\"v1\"",
                "Content-Range": "bytes \(start)-\(size - 1)/\(size)",
            ])
    }
}
