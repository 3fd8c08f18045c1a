// SPDX-License-Identifier: MIT

/// Finds packets that follow each other, each with a sync byte at its beginning and a length that it states or that the
/// format prescribes.
///
/// Compressed data of any kind, such as a picture in a tag, contains each sync byte somewhere. So only a chain is
/// evidence, and the end of the bytes at hand does not complete a chain. Packets with equal beginnings are not evidence
/// either: in a repeating pattern, the sync byte occurs at regular distances.
package struct PacketChain {
    let syncByte: UInt8
    /// The number of packets in a chain. The sync byte of another packet must follow them.
    let links: Int

    package init(syncByte: UInt8, links: Int) {
        self.syncByte = syncByte
        self.links = links
    }

    /// The start of the first chain; nil if there is none.
    package func start<Bytes: IndexedBytes>(in bytes: Bytes, lengthOf: (_ place: Int) -> Int?) -> Int? {
        bytes.indices.first { start in
            var place = start
            var alike = 0
            for _ in 0..<links {
                guard place < bytes.endIndex, bytes[place] == syncByte, let length = lengthOf(place) else {
                    return false
                }
                let next = place + length
                guard next < bytes.endIndex, bytes[next] == syncByte else { return false }
                let (head, nextHead) = (bytes[place...].prefix(Self.head), bytes[next...].prefix(Self.head))
                if head.elementsEqual(nextHead) { alike += 1 }
                guard alike < links - links / 2 else { return false }
                place = next
            }
            return true
        }
    }

    private static let head = 4
}
