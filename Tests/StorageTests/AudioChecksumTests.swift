// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

/// The checksum of a file's frames.
struct AudioChecksumTests {
    private static func value(_ pieces: some Sequence<ArraySlice<UInt8>>) -> UInt64 {
        var checksum = AudioChecksum()
        for piece in pieces { piece.withUnsafeBytes { checksum.take($0) } }
        return checksum.value
    }

    @Test("The checksum is that of xxh64sum, however the bytes are split") func sameAsXXH64() async throws {
        var random = SplitMix64(seed: 5)
        let folder = try TemporaryFolder()
        for count in [0, 1, 7, 8, 255, 256, 65_537] {
            // Zeros count as well, so the bytes begin with two of them.
            let bytes = [0, 0] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let outcome = try await ChildProcess("/usr/bin/xxh64sum", [try folder.write("bytes", bytes)])
                .outcome(within: .seconds(30))
            let said = outcome.text.split(separator: " ").first.flatMap { UInt64($0, radix: 16) }
            #expect(Self.value([bytes[...]]) == said)
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(Self.value([bytes[..<cut], bytes[cut...]]) == said)
            #expect(Self.value([[0][...], bytes[...]]) != said)
        }
        // The specification gives this checksum for no bytes.
        #expect(Self.value([]) == 0xEF46_DB37_51D8_E999)
    }

    @Test("The checksum of packets does not depend on their pages") func anyPages() {
        var random = SplitMix64(seed: 6)
        let sizes = (0..<100).map { _ in Int.random(in: 1...400, using: &random) } + [70_000, 1, 255, 510]
        let packets = sizes.map { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let format = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        let plain = Self.value(packets.map { $0[...] })
        for length in [Duration.zero, .milliseconds(200), .seconds(1)] {
            var paginator = OggPaginator(format: format, serial: 7, comments: [], pageDuration: length)
            var checksum = AudioChecksum()
            for packet in packets {
                var pages: [UInt8] = []
                packet.withUnsafeBytes { paginator.append(packet: $0, samples: 960, into: &pages) }
                pages.withUnsafeBytes { checksum.take(packetsOf: $0) }
            }
            var pages: [UInt8] = []
            paginator.finish(into: &pages)
            pages.withUnsafeBytes { checksum.take(packetsOf: $0) }
            #expect(checksum.value == plain)
        }
    }
}
