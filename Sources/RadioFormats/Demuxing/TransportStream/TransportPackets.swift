// SPDX-License-Identifier: MIT

/// Finds the packets of a transport stream (ISO/IEC 13818-1 §2.4.3.2): 188 bytes each, the first of which is 0x47.
///
/// A packet is given out once the next one begins at its end. Otherwise the next places are searched for packets that
/// follow each other: if these begin inside the packet, some of its bytes are missing, and it is skipped. Holds at most
/// 564 bytes beyond those of one `append`.
struct TransportPackets {
    private static let length = 188
    private static let syncByte: UInt8 = 0x47
    /// At a place that is searched, this many packets must begin, each at the end of the one before.
    private static let chain = 3

    private var buffer = FramingBuffer()
    /// Whether a packet is known to begin behind the last one.
    private(set) var isAligned = false

    private enum Step {
        case wait
        /// A packet is at the front; another one follows it, or something else.
        case packet(isFollowed: Bool)
        /// Something else is at the front, perhaps with a packet behind it.
        case skip(Int, toPacket: Bool)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(bytes) }

    /// The place of the next packet; nil if more bytes are needed. `isFinal` says that no more bytes follow.
    mutating func next(isFinal: Bool) -> Range<Int>? {
        while true {
            let isAligned = isAligned
            switch buffer.withUnread({ Self.step($0, isAligned: isAligned, isFinal: isFinal) }) {
            case .wait: return nil
            case .packet(let isFollowed):
                self.isAligned = isFollowed
                return buffer.pass(Self.length)
            case .skip(let count, let toPacket):
                self.isAligned = toPacket
                buffer.pass(count)
            }
        }
    }

    /// Calls `body` with the bytes of a packet that `next` returned since the last `append`.
    func withBytes<Result>(_ packet: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(packet, body)
    }

    /// Forgets the bytes that are left of an input that has ended. Returns whether they begin as a packet does.
    mutating func dropRest() -> Bool {
        defer { buffer.pass(buffer.count) }
        return buffer.withUnread { $0.first == Self.syncByte }
    }

    private static func step(_ bytes: UnsafeRawBufferPointer, isAligned: Bool, isFinal: Bool) -> Step {
        let begins = bytes.first == syncByte
        guard bytes.count > length else {
            return isFinal && bytes.count == length && begins ? .packet(isFollowed: true) : .wait
        }
        if begins, bytes[length] == syncByte { return .packet(isFollowed: true) }
        guard isFinal || bytes.count > chain * length else { return .wait }
        let next = (1...length).first { place in
            place + length <= bytes.count
                && stride(from: place, to: min(bytes.count, place + chain * length), by: length)
                    .allSatisfy { bytes[$0] == syncByte }
        }
        if begins, isAligned, (next ?? length) == length { return .packet(isFollowed: next != nil) }
        return .skip(next ?? length, toPacket: next != nil)
    }
}
