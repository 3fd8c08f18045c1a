// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

/// Metadata that is not where the response head says.
struct MisreadTests {
    private let plain = SampleProgramme(60, seed: 2)

    /// A server's answer to a request without `Icy-MetaData`.
    private var withoutMetadata: [OriginScript.Step] {
        [.request, .icyHead(), .send(plain.bytes), .stall(Gate())]
    }

    @Test("A head that promises metadata before plain audio is recognized as wrong")
    func promisedMetadata() async throws {
        let first = SampleProgramme(200)
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: 5_000), .send(first.bytes), .stall(Gate())], withoutMetadata)
        try await expectChange(origin, whole: first)
    }

    @Test("A head with another interval than the body's is recognized as wrong") func wrongInterval() async throws {
        let first = SampleProgramme(400)
        let body = ICYBody(first.bytes, interval: 6_000, titles: [(0, "A title"), (20_000, "Another")])
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: 8_192), .send(body.bytes), .stall(Gate())], withoutMetadata)
        try await expectChange(origin, whole: first)
    }

    @Test("Metadata that the head does not mention is recognized") func unannouncedMetadata() async throws {
        let first = SampleProgramme(100)
        let body = ICYBody(first.bytes, interval: 16_000, titles: [(0, "A title")])
        let origin = try ScriptedOrigin(
            [
                .request, .icyHead(), .send(Array(body.bytes.prefix(12_000))),
                .send(Array(body.bytes.dropFirst(12_000))), .stall(Gate()),
            ], withoutMetadata)
        try await expectChange(origin, whole: first)
    }

    @Test("Single blocks that cannot be read change nothing") func unreadableBlocks() async throws {
        let audio = SampleProgramme(60).bytes
        var bytes: [UInt8] = []
        let blocks = ["StreamTitle='A';", "gibberish", "StreamTitle='B';", "more of it", "StreamTitle='C';"]
        for (number, start) in stride(from: 0, to: audio.count, by: 1_000).enumerated() {
            let piece = audio[start...].prefix(1_000)
            bytes += piece
            guard piece.count == 1_000 else { break }
            bytes += number < blocks.count ? ICYBody.block(blocks[number]) : [0]
        }
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 1_000), .send(bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 58 }
        #expect(heard.titles.map(\.text) == ["A", "B", "C"] && heard.failures.isEmpty)
    }

    @Test("A server that promises metadata again is not believed again") func repeatedPromise() async throws {
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: 5_000), .send(SampleProgramme(200).bytes), .stall(Gate())])
        let expected = SampleProgramme(200).frames(0..<199)
        let heard = try await StationRig.listen(
            to: origin.url(), until: { $0.frames >= 199 && $0.audio.suffix(199 * 417).elementsEqual(expected) })
        #expect(heard.infos.map(\.metadataInterval) == [5_000, nil] && heard.failures.count == 1)
    }

    @Test("The beginning of a title is found however the bytes are split") func splitTitle() {
        let text = Array("junk StreamTitStreamTitle='x'".utf8)
        for split in text.indices {
            var spotter = MetadataSpotter()
            let first = text[..<split].withUnsafeBytes { spotter.spots(in: $0) }
            let second = text[split...].withUnsafeBytes { spotter.spots(in: $0) }
            #expect(first || second)
        }
    }

    @Test("A title is looked for only at the beginning and after junk") func titleSearch() {
        var spotter = MetadataSpotter()
        let title = Array("StreamTitle='x'".utf8)
        let audio = [UInt8](repeating: 0x20, count: MetadataSpotter.window)
        var isFound = audio.withUnsafeBytes { spotter.spots(in: $0) }
        #expect(!isFound)
        isFound = title.withUnsafeBytes { spotter.spots(in: $0) }
        #expect(!isFound)
        spotter.lookAgain()
        isFound = title.withUnsafeBytes { spotter.spots(in: $0) }
        #expect(isFound)
    }

    /// Expects that the station connects again without metadata, reports it, and delivers nothing but audio.
    private func expectChange(_ origin: ScriptedOrigin, whole: SampleProgramme) async throws {
        let expected = plain.frames(0..<60)
        let heard = try await StationRig.listen(to: origin.url()) { heard in
            heard.frames >= 60 && heard.failures.count == 1 && heard.audio.suffix(60 * 417).elementsEqual(expected)
        }
        #expect(heard.failures.map(\.failureClass) == [.protocol])
        #expect(heard.failures.first?.remedy.contains("without titles") == true)
        let requests = origin.requests
        #expect(requests.map { $0.header("Icy-MetaData") } == ["1", nil])
        // Only whole frames of the station were taken from the first connection.
        let before = Array(heard.audio.dropLast(60 * 417))
        let known = Set((0..<whole.bytes.count / 417).map { whole.frames($0..<$0 + 1) })
        let foreign = stride(from: 0, to: before.count, by: 417)
            .filter { !known.contains(Array(before[$0...].prefix(417))) }
        #expect(foreign.isEmpty, "\(foreign.map { $0 / 417 })")
    }
}
