// SPDX-License-Identifier: MIT

/// Joins the sections of a table from the packets of its stream (ISO/IEC 13818-1 §2.4.4), and checks their checksums.
/// Holds one section, of 4 KiB at most.
struct SectionReader {
    private var continuity = PacketContinuity()
    private var bytes: [UInt8] = []
    /// Whether `bytes` begin with a section.
    private var isOpen = false

    /// The sections that end in a packet.
    mutating func sections(endingIn packet: TransportPacket) -> [[UInt8]] {
        let answer = continuity.take(packet)
        guard var payload = packet.payload, answer != .repeats, !packet.isScrambled else { return [] }
        if answer == .gap { isOpen = false }
        var sections: [[UInt8]] = []
        if packet.beginsUnit {
            guard let pointer = payload.first, Int(pointer) < payload.count else { return [] }
            let rest = payload[1...].prefix(Int(pointer))
            if isOpen { add(UnsafeRawBufferPointer(rebasing: rest), &sections) }
            payload = UnsafeRawBufferPointer(rebasing: payload[(1 + Int(pointer))...])
            (bytes, isOpen) = ([], true)
        }
        if isOpen { add(payload, &sections) }
        return sections
    }

    mutating func segmentBegins() { continuity.segmentBegins() }

    private mutating func add(_ piece: UnsafeRawBufferPointer, _ sections: inout [[UInt8]]) {
        bytes.append(contentsOf: piece)
        while bytes.count >= 3 {
            // Behind the last section, the packet is filled up with ones.
            guard bytes[0] != 0xFF else { return (bytes, isOpen) = ([], false) }
            let length = 3 + (Int(bytes[1] & 0xF) << 8 | Int(bytes[2]))
            guard bytes.count >= length else { return }
            let section = Array(bytes.prefix(length))
            bytes.removeFirst(length)
            // The checksum covers the section with its own checksum, and is 0 then.
            if section.withUnsafeBytes({ CRC32.update(~0, $0) }) == 0 { sections.append(section) }
        }
    }
}
