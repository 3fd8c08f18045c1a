// SPDX-License-Identifier: MIT

/// Ogg streams for tests, written from the specs and not by the code under test.
enum OggSample {
    static let begin: UInt8 = 2
    static let end: UInt8 = 4

    /// A page with a checksum that is computed bit by bit.
    static func page(
        _ lacing: [UInt8], _ body: [UInt8], serial: UInt32, sequence: UInt32, flags: UInt8 = 0, granule: Int64 = 0
    ) -> [UInt8] {
        var page = Array("OggS".utf8) + [0, flags]
        page += (0..<8).map { UInt8(truncatingIfNeeded: granule >> (8 * $0)) }
        page += little(serial) + little(sequence) + [0, 0, 0, 0] + [UInt8(lacing.count)] + lacing + body
        page.replaceSubrange(22..<26, with: little(checksum(page)))
        return page
    }

    /// Packets in as many pages as needed, of at most `segments` segments each.
    static func pages(
        _ packets: [[UInt8]], serial: UInt32, from sequence: UInt32 = 0, segments: Int = 20, first: UInt8 = 0,
        last: UInt8 = 0
    ) -> [[UInt8]] {
        var pieces: [(lace: UInt8, bytes: ArraySlice<UInt8>)] = []
        for packet in packets {
            var rest = packet[...]
            while rest.count >= 255 {
                pieces.append((255, rest.prefix(255)))
                rest = rest.dropFirst(255)
            }
            pieces.append((UInt8(rest.count), rest))
        }
        var pages: [[UInt8]] = []
        for start in stride(from: 0, to: pieces.count, by: segments) {
            let held = pieces[start..<min(start + segments, pieces.count)]
            let isContinued = start > 0 && pieces[start - 1].lace == 255
            let flags =
                (isContinued ? 1 : 0) | (start == 0 ? first : 0) | (held.endIndex == pieces.count ? last : 0)
            pages.append(
                page(
                    held.map(\.lace), held.flatMap(\.bytes), serial: serial,
                    sequence: sequence &+ UInt32(pages.count), flags: flags))
        }
        return pages
    }

    /// The pages that contain parts of each packet, as ``pages(_:serial:from:segments:first:last:)`` splits them.
    static func pagesOfPackets(_ packets: [[UInt8]], firstPage: Int, segments: Int) -> [ClosedRange<Int>] {
        var done = 0
        return packets.map { packet in
            let first = done
            done += packet.count / 255 + 1
            return firstPage + first / segments...firstPage + (done - 1) / segments
        }
    }

    /// One link: identification on its own page, the other headers, then audio.
    static func link(
        _ headers: [[UInt8]], _ audio: [[UInt8]], serial: UInt32, segments: Int = 20, end: Bool = true
    ) -> [[UInt8]] {
        var pages = pages([headers[0]], serial: serial, first: begin)
        pages += self.pages(Array(headers[1...]), serial: serial, from: 1)
        pages += self.pages(
            audio, serial: serial, from: UInt32(pages.count), segments: segments, last: end ? self.end : 0)
        return pages
    }

    // MARK: - Headers

    static func opusHeaders(
        title: String? = nil, artist: String? = nil, channels: UInt8 = 2, cover: Int = 0
    ) -> [[UInt8]] {
        let head = Array("OpusHead".utf8) + [1, channels, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0]
        return [head, Array("OpusTags".utf8) + comments(title, artist, cover: cover)]
    }

    /// Short blocks have 256 samples, long blocks 2048; `long` tells for each mode whether its blocks are long.
    static func vorbisHeaders(title: String? = nil, long: [Bool] = [false, true], cover: Int = 0) -> [[UInt8]] {
        let identification =
            [1] + name + [0, 0, 0, 0, 2] + little(44_100) + [UInt8](repeating: 0, count: 12) + [0xB8, 1]
        var bits = BitWriter()
        for byte in [5] + name + (0..<60).map({ UInt8(($0 * 37) & 0xFF) }) { bits.write(Int(byte), 8) }
        bits.write(5, 3)
        bits.write(long.count - 1, 6)
        for (index, isLong) in long.enumerated() {
            bits.write(isLong ? 1 : 0, 1)
            bits.write(0, 32)
            bits.write(index, 8)
        }
        bits.write(1, 1)
        return [identification, [3] + name + comments(title, nil, cover: cover) + [1], bits.bytes]
    }

    static func flacHeaders(
        title: String? = nil, samples: UInt8 = 9, picture: Bool = true, cover: Int = 0, pictureLength: Int = 3
    ) -> [[UInt8]] {
        let blockSizes: [UInt8] = [0x10, 0, 0x10, 0]
        let facts = blockSizes + [0, 0, 14, 0, 1, 0] + [0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0, samples]
        let digest = [UInt8](repeating: samples, count: 16)
        var headers = [
            [0x7F] + Array("FLAC".utf8) + [1, 0, 0, picture ? 2 : 1] + Array("fLaC".utf8) + [0, 0, 0, 34] + facts
                + digest
        ]
        let comments = comments(title, nil, cover: cover)
        headers.append(block(picture ? 4 : 0x84, comments))
        if picture { headers.append(block(0x86, (0..<pictureLength).map { UInt8(truncatingIfNeeded: $0 + 1) })) }
        return headers
    }

    /// A metadata block of FLAC; `type` has the flag of the last block.
    static func block(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type] + little(UInt32(content.count)).prefix(3).reversed() + content
    }

    /// Comments; with a cover of `cover` bytes before all others.
    static func comments(_ title: String?, _ artist: String?, cover: Int = 0) -> [UInt8] {
        let picture = cover > 0 ? "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: cover) : nil
        let fields = [
            picture, artist.map { "artist=\($0)" }, title.map { "TITLE=\($0)" }, "ENCODER=x",
        ].compactMap { $0 }
        return little(3) + Array("abc".utf8) + little(UInt32(fields.count))
            + fields.flatMap { little(UInt32($0.utf8.count)) + Array($0.utf8) }
    }

    // MARK: - Packets

    /// Packets of 20 ms with random content and these lengths in bytes.
    static func opusPackets(_ lengths: [Int], seed: UInt64) -> [[UInt8]] {
        var generator = SplitMix64(seed: seed)
        return lengths.map { [0xFC] + generator.bytes(max(0, $0 - 1)) }
    }

    private static let name = Array("vorbis".utf8)

    static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0
        for byte in bytes {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : (crc << 1) ^ 0x04C1_1DB7 }
        }
        return crc
    }
}

/// Writes bits in the order of Vorbis.
private struct BitWriter {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, _ width: Int) {
        for bit in 0..<width {
            if count & 7 == 0 { bytes.append(0) }
            bytes[count >> 3] |= UInt8(value >> bit & 1) << UInt8(count & 7)
            count += 1
        }
    }
}
