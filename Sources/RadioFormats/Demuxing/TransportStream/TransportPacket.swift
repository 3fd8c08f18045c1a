// SPDX-License-Identifier: MIT

/// A packet of a transport stream (ISO/IEC 13818-1 §2.4.3.2), valid as long as its bytes.
struct TransportPacket {
    /// Which of the multiplexed streams the packet belongs to (PID).
    let stream: Int
    /// Whether a PES packet or a section begins in the payload.
    let beginsUnit: Bool
    let isScrambled: Bool
    /// Counts the packets of a stream that have a payload, modulo 16.
    let counter: UInt8
    /// Whether the counter may jump before this packet.
    let allowsJump: Bool
    /// Nil if the packet has none.
    let payload: UnsafeRawBufferPointer?

    /// Parses the 188 bytes of a packet; nil if they are damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 188, bytes[1] & 0x80 == 0, bytes[3] & 0x30 != 0 else { return nil }
        stream = Int(bytes[1] & 0x1F) << 8 | Int(bytes[2])
        beginsUnit = bytes[1] & 0x40 != 0
        isScrambled = bytes[3] & 0xC0 != 0
        counter = bytes[3] & 0xF
        var start = 4
        if bytes[3] & 0x20 != 0 {
            start += 1 + Int(bytes[4])
            guard start <= bytes.count else { return nil }
            allowsJump = bytes[4] > 0 && bytes[5] & 0x80 != 0
        } else {
            allowsJump = false
        }
        payload = bytes[3] & 0x10 != 0 ? UnsafeRawBufferPointer(rebasing: bytes[start...]) : nil
    }
}

/// Whether the packets of one stream follow each other.
struct PacketContinuity {
    enum Answer {
        case follows, repeats, gap
    }

    private var last: UInt8?
    /// A hash of the last payload: a packet that repeats the last one has the same. A CRC-32 would be equal for all
    /// sections of one length, because their own is in them.
    private var lastHash: UInt64 = 0
    private var isNewSegment = false
    /// How many packets in a row have had the counter of the one before.
    private var standing = 0

    /// Compares a packet with the one before it of the same stream.
    mutating func take(_ packet: TransportPacket) -> Answer {
        guard let payload = packet.payload else {
            if packet.allowsJump { last = nil }
            return .follows
        }
        // FNV-1a.
        let hash = payload.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        defer { (last, lastHash, isNewSegment) = (packet.counter, hash, false) }
        guard let last, packet.counter != (last + 1) & 0xF, !packet.allowsJump else {
            standing = 0
            return .follows
        }
        if isNewSegment, packet.beginsUnit { return .follows }
        guard packet.counter == last, hash != lastHash else { return packet.counter == last ? .repeats : .gap }
        // Some packagers do not count.
        standing += 1
        return standing > 1 ? .follows : .gap
    }

    /// Lets the counter begin anew where a unit begins.
    mutating func segmentBegins() { isNewSegment = true }
}
