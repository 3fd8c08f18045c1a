// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

/// Titles from ICY metadata, through real sockets.
struct TitleTests {
    @Test(
        "Audio is the same with metadata as without, and each title is at its frame",
        arguments: [1, 16, 255, 8192, 65_536])
    func intervals(interval: Int) async throws {
        let programme = SampleProgramme(interval > 255 ? 400 : 40)
        let size = programme.bytes.count
        let body = ICYBody(
            programme.bytes, interval: interval,
            titles: [(0, "First - It's"), (size / 3, "Second; too"), (size / 2, "Third")])
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: interval), .send(body.bytes)], [.request, .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url("/live")) { $0.frames == size / 417 }
        #expect(heard.audio == programme.bytes)
        // If several blocks lie before the same frame, the last one gives the title.
        let expected = zip(["First - It's", "Second; too", "Third"], body.titleOffsets)
            .map { StreamTitle(text: $0, position: Self.position(programme.frame(atOrAfter: $1)), raw: Array($0.utf8)) }
        #expect(heard.titles == expected)
        #expect(origin.requests.first?.header("Icy-MetaData") == "1")
        #expect(heard.order.first == "station" && heard.infos.map(\.metadataInterval) == [interval])
    }

    @Test("The response head of a SHOUTcast server may arrive byte by byte") func shoutcastHead() async throws {
        let programme = SampleProgramme(20)
        let head = "ICY 200 OK\r\nicy-name: Radio\u{1B}[31m Nova\r\nicy-br: 128,128\r\nContent-Type: audio/mpeg\r\n\r\n"
        let origin = try ScriptedOrigin(
            [.request, .drip(Array(head.utf8)), .drip(Array(programme.bytes.prefix(900)))]
                + [.send(Array(programme.bytes.dropFirst(900))), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 19 }
        #expect(programme.bytes.starts(with: heard.audio))
        #expect(heard.infos.first?.name == "Radio[31m Nova" && heard.infos.first?.declaredBitRate == 128)
        #expect(heard.infos.first?.kind == .live)
    }

    @Test("A title that arrives before the first frame belongs to that frame") func titleBeforeFrame() async throws {
        let programme = SampleProgramme(20)
        // The stream is joined inside a frame.
        let audio = Array(programme.bytes.dropFirst(100))
        let body = ICYBody(audio, interval: 16, titles: [(0, "Under way")])
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 16), .send(body.bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 18 }
        #expect(programme.frames(1..<20).starts(with: heard.audio))
        #expect(heard.titles.map(\.position) == [Position()])
        #expect(heard.order == ["station", "format", "discontinuity", "title", "air time", "chunk"])
        #expect(heard.discontinuities == [Discontinuity(kind: .firstJoin, position: Position())])
    }

    @Test("The rest of a longer title in the server's buffer is not part of a shorter one")
    func staleBuffer() async throws {
        let long = "StreamTitle='A rather long title, sung slowly';"
        let short = "StreamTitle='Short';"
        let stale = short + long.dropFirst(short.count)
        let heard = try await Self.heard(blocks: [long, stale].map { Array($0.utf8) })
        #expect(heard.titles.map(\.text) == ["A rather long title, sung slowly", "Short"])
    }

    @Test("A repeated title makes no event, and an empty one does") func repeatedTitle() async throws {
        let blocks = ["StreamTitle='A';", "StreamTitle='A';", "StreamUrl='x';", "StreamTitle='';", "StreamTitle='';"]
        let heard = try await Self.heard(blocks: blocks.map { Array($0.utf8) })
        #expect(heard.titles.map(\.text) == ["A", ""])
    }

    @Test("A block that marks an advert begins a mark at its frame, which goes on until another title") func advert()
        async throws
    {
        let heard = try await Self.heard(blocks: [[], Array("StreamTitle='A Shop';adw_ad='true';".utf8)])
        let marks = heard.stretches.map { "\($0.kind) from \($0.frames.lowerBound) by \($0.by ?? ""), \($0.isOpen)" }
        #expect(heard.titles.map(\.text) == ["Advert: A Shop"] && heard.titles.first?.position.frames == 3)
        #expect(marks.last == "advert from 3 by title, true")
    }

    @Test("A title that is not UTF-8 is read in the station's charset, and its bytes are kept")
    func charset() async throws {
        // "Кино" in Windows-1251.
        let raw: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
        let block = Array("StreamTitle='".utf8) + raw + Array("';".utf8)
        let heard = try await Self.heard(blocks: [block]) { $0.charset = .windows1251 }
        #expect(heard.titles.map(\.text) == ["Кино"])
        #expect(heard.titles.map(\.raw) == [raw])
        let western = try await Self.heard(blocks: [Array("StreamTitle='Caf".utf8) + [0xE9] + Array("';".utf8)])
        #expect(western.titles.map(\.text) == ["Café"])
    }

    @Test("A title is delivered without its control characters") func controlCharacters() async throws {
        let heard = try await Self.heard(blocks: [Array("StreamTitle='\u{1B}[2Jx\u{202E}y\r\nz\u{9B}';".utf8)])
        #expect(heard.titles.map(\.text) == ["[2Jxy z"])
    }

    @Test("C22: A title in a tag of the audio is repaired") func tag() async throws {
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "odcie&#324;")]).encoded(size: 256)
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(tag + SampleProgramme(20).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 18 }
        #expect(heard.titles.map(\.text) == ["odcień"])
    }

    @Test("A flood of titles before one frame takes no memory and leaves the last one") func titleFlood() async throws {
        let programme = SampleProgramme(30)
        var bytes: [UInt8] = []
        for (number, byte) in programme.bytes.enumerated() {
            bytes.append(byte)
            bytes += ICYBody.block("StreamTitle='\(number)';")
        }
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 1), .send(bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 28 }
        #expect(programme.bytes.starts(with: heard.audio))
        for number in 1..<28 {
            let last = heard.titles.last { $0.position.frames == number }
            #expect(last?.text == "\(number * 417 - 1)")
        }
    }

    private static func position(_ frames: Int64) -> Position {
        Position(frames: frames, bytes: frames * 417, samples: frames * 1_152)
    }

    /// Plays a stream whose first metadata blocks are `blocks`.
    private static func heard(
        blocks: [[UInt8]], change: (inout StationSettings) -> Void = { _ in }
    ) async throws -> Heard {
        let programme = SampleProgramme(20)
        var bytes: [UInt8] = []
        for (number, start) in stride(from: 0, to: programme.bytes.count, by: 500).enumerated() {
            let piece = programme.bytes[start...].prefix(500)
            bytes += piece
            guard piece.count == 500 else { break }
            let block = number < blocks.count ? blocks[number] : []
            bytes.append(UInt8((block.count + 15) / 16))
            bytes += block + [UInt8](repeating: 0, count: (16 - block.count % 16) % 16)
        }
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 500), .send(bytes), .stall(Gate())])
        return try await StationRig.listen(to: origin.url(), change: change) { $0.frames >= 19 }
    }
}
