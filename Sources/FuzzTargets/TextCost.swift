// SPDX-License-Identifier: MIT

import RadioFormats

/// The cost of parsing texts, in reads per byte.
package enum TextCost {
    package static let most = 32.0
    /// The maximum cost of recognition. It is higher than that of the other parsers, because each byte may begin a
    /// chain of packets.
    package static let mostOfRecognition = 96.0

    package static func markup(_ bytes: [UInt8]) -> Double {
        CountedBytes.cost(of: bytes) { bytes in
            var scanner = MarkupScanner(bytes)
            while scanner.next() != nil {}
        }
    }

    package static func hls(_ bytes: [UInt8]) -> Double {
        CountedBytes.cost(of: bytes) { _ = try? HLSPlaylist(reading: $0, base: "http://radio.example/live/list") }
    }

    package static func json(_ bytes: [UInt8]) -> Double {
        CountedBytes.cost(of: bytes) { _ = try? JSONValue(reading: $0, limit: 1 << 20) }
    }

    package static func tag(_ bytes: [UInt8]) -> Double {
        CountedBytes.cost(of: bytes) { _ = ID3v2Tag(reading: $0) }
    }

    /// The cost of one examination of a body by a recognizer.
    package static func recognition(_ bytes: [UInt8]) -> Double {
        CountedBytes.cost(of: bytes) { bytes in
            let sniffer = TextSniffer(bytes, isLast: true)
            _ = sniffer.marked() ?? sniffer.unmarked()
            _ = PacketChain(syncByte: 0x56, links: 8).start(in: bytes) { place in place + 3 <= bytes.endIndex ? 4 : nil
            }
            _ = PacketChain(syncByte: 0x47, links: 8).start(in: bytes) { _ in 188 }
        }
    }
}
