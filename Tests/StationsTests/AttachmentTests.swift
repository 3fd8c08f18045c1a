// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import MediaSources
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Stations

/// Covers and other attachments in what a station sends.
struct AttachmentTests {
    /// An ID3v2.4 tag with a picture of this size.
    private static func picture(_ count: Int) -> [UInt8] {
        func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
        let content = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + [UInt8](repeating: 0x55, count: count)
        let frame = Array("APIC".utf8) + size(content.count) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + size(frame.count) + frame
    }

    private static func opus(cover: Int) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.file("a.opus")
        let picture = String(repeating: "A", count: cover)
        let tags = try folder.write("tags", ";FFMETADATA1\nMETADATA_BLOCK_PICTURE=\(picture)\n")
        let encoded = try ChildProcess(
            .ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "sine=duration=2", "-i", tags, "-map_metadata", "1", path]
        ).wait(within: .seconds(30))
        guard encoded.succeeded else { throw SetupError(encoded.standardError) }
        return try bytes(ofFile: path)
    }

    /// Passes a body to a station, and returns the sizes that it reports as left out.
    private func said(_ type: String, _ body: [UInt8]) throws -> [Int64] {
        let station = VirtualStation.byHand()
        let connection = try station.connection(0)
        connection.receiveHead(interval: nil, type: type)
        connection.receive(body[...])
        connection.end()
        station.reactor.settle()
        #expect(station.heard.frames > 0)
        return station.heard.notices.compactMap {
            if case .attachmentsLeftOut(let bytes, nil) = $0 { bytes } else { nil }
        }
    }

    @Test(
        "B35: What is left out of tags is said once, with its size, unless it is small",
        arguments: [1_600_000, 70_000, 1_000])
    func tag(size: Int) throws {
        let audio = SampleProgramme(40).bytes
        let said = try said("audio/mpeg", Self.picture(size) + audio + Self.picture(size) + audio)
        #expect(said.count == (size > 65_536 ? 1 : 0) && said.allSatisfy { $0 > size }, "\(said)")
    }

    @Test(
        "B35: What is left out of a comment header is said, unless it is small",
        arguments: [1_500_000, 100_000, 1_000])
    func comments(size: Int) throws {
        let said = try said("audio/ogg", Self.opus(cover: size))
        #expect(said.count == (size > 65_536 ? 1 : 0) && said.allSatisfy { $0 > size }, "\(said)")
    }

    @Test(
        "B35: What is left out of a file that is relayed is said, with the file's name", arguments: [1_500_000, 1_000])
    func relayedFile(size: Int) throws {
        let reactor = ManualReactor()
        let items = [MediaItem(name: "a.opus", bytes: try Self.opus(cover: size))]
        let info = StationInfo(kind: .live, name: "Test", url: "")
        let station = Programme(items, info: info, repeats: false, ahead: .zero, reactor: reactor)
        var said: [Int64] = []
        station.onNotice = { if case .attachmentsLeftOut(let bytes, "a.opus") = $0 { said.append(bytes) } }
        station.start()
        reactor.advance(by: .seconds(5))
        #expect(station.hub.hasAudio)
        #expect(said.count == (size > 65_536 ? 1 : 0) && said.allSatisfy { $0 > size }, "\(said)")
    }
}
