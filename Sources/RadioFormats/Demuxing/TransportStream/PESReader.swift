// SPDX-License-Identifier: MIT

/// Reads the packets of an elementary stream (PES, ISO/IEC 13818-1 §2.4.3.6) as their bytes arrive.
struct PESReader {
    enum Output {
        /// A PES packet begins, with this time if it has one.
        case begins(MediaTime?, isAligned: Bool)
        case payload(UnsafeRawBufferPointer)
        /// The head is damaged, and the packet is skipped.
        case damaged
        /// The content is scrambled, and the packet is skipped.
        case scrambled
    }

    private enum State {
        /// Until the next packet begins, there is nothing to be read.
        case waiting
        case head
        case payload
    }

    /// The bytes of a head up to its time.
    private static let (shortHead, timeLength) = (9, 5)

    private var state = State.waiting
    private var head: [UInt8] = []
    /// The bytes between time and payload that have not arrived yet.
    private var skipping = 0
    /// The bytes of payload that have not arrived yet, of a packet that states its length; 0 otherwise. Further bytes
    /// are read, too: the field is too small for long packets, and some muxers store its lower bits then.
    private var owed = 0

    /// Begins a packet. Returns whether the packet before is incomplete.
    mutating func begin() -> Bool {
        let isCut = state == .head || owed > 0 || skipping > 0
        (state, skipping, owed) = (.head, 0, 0)
        head.removeAll(keepingCapacity: true)
        return isCut
    }

    /// Goes on after bytes that are missing: what comes next is payload, unless the head is among them.
    mutating func skipGap() {
        if state == .head || skipping > 0 { state = .waiting }
        (skipping, owed) = (0, 0)
    }

    /// Reads from the front of `bytes`; nil once nothing is left to be read.
    mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Output? {
        switch state {
        case .waiting: return nil
        case .head:
            take(&bytes, upTo: Self.shortHead)
            guard head.count >= Self.shortHead else { return nil }
            take(&bytes, upTo: Self.shortHead + min(Int(head[8]), Self.timeLength))
            guard head.count >= Self.shortHead + min(Int(head[8]), Self.timeLength) else { return nil }
            return readHead()
        case .payload:
            let skipped = min(skipping, bytes.count)
            skipping -= skipped
            let payload = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
            owed = max(0, owed - payload.count)
            return payload.isEmpty ? nil : .payload(payload)
        }
    }

    private mutating func take(_ bytes: inout UnsafeRawBufferPointer, upTo length: Int) {
        let part = bytes.prefix(max(0, length - head.count))
        head.append(contentsOf: part)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[part.count...])
    }

    private mutating func readHead() -> Output {
        state = .waiting
        let (length, optional) = (head.bigEndian(at: 4, count: 2), Int(head[8]))
        guard head.starts(with: [0, 0, 1]), head[6] >> 6 == 2, length == 0 || length >= 3 + optional else {
            return .damaged
        }
        guard head[6] & 0x30 == 0 else { return .scrambled }
        state = .payload
        skipping = optional - min(optional, Self.timeLength)
        owed = length == 0 ? 0 : length - 3 - optional
        return .begins(time, isAligned: head[6] & 4 != 0)
    }

    /// The presentation time in the head, 33 bits among marker bits.
    private var time: MediaTime? {
        guard head[7] & 0x80 != 0, head.count >= Self.shortHead + Self.timeLength else { return nil }
        let high = Int64(head[9] >> 1 & 7) << 30
        let middle = Int64(head.bigEndian(at: 10, count: 2) >> 1) << 15
        return .mpeg(high | middle | Int64(head.bigEndian(at: 12, count: 2) >> 1))
    }
}
