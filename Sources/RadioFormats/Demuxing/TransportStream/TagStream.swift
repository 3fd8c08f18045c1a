// SPDX-License-Identifier: MIT

/// The stream of ID3 tags in a transport stream. A tag may straddle PES packets.
struct TagStream {
    let stream: Int
    private var continuity = PacketContinuity()
    private var reader = PESReader()
    private var collector = TagCollector()
    /// Whether the next bytes can begin a tag, or continue one.
    private var isReadable = false

    init(stream: Int) { self.stream = stream }

    mutating func segmentBegins() { continuity.segmentBegins() }

    mutating func read(_ packet: TransportPacket, _ take: (Demuxed) -> Void) {
        let answer = continuity.take(packet)
        guard var payload = packet.payload, answer != .repeats, !packet.isScrambled else { return }
        if answer == .gap {
            reader.skipGap()
            drop()
        }
        if packet.beginsUnit, reader.begin() { drop() }
        while let output = reader.next(&payload) {
            switch output {
            case .begins(_, let isAligned):
                // Unless it is said to begin here, a tag goes on.
                if isAligned { collector.clear() }
                isReadable = true
            case .payload(let bytes): read(bytes, take)
            case .damaged, .scrambled: drop()
            }
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) {
        var bytes = bytes
        while isReadable, !bytes.isEmpty {
            switch collector.take(from: &bytes) {
            case .incomplete: return
            case .tag:
                collector.held.withUnsafeBytes { take(.tag($0)) }
                collector.clear()
            case .none: drop()
            }
        }
    }

    private mutating func drop() {
        collector.clear()
        isReadable = false
    }
}
