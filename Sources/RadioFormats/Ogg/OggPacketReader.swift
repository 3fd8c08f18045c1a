// SPDX-License-Identifier: MIT

/// Joins the segments of one logical stream's pages into packets, contiguous in memory (RFC 3533 §5). A value.
///
/// Call ``take(_:_:at:)`` with a page, then ``next()`` until it returns nil.
struct OggPacketReader {
    enum Piece {
        /// A whole packet; its bytes are there until the next ``forgetRead()``. Never empty.
        case packet(Range<Int>, offset: Int64)
        /// This number of bytes is of a packet that will not be whole.
        case dropped(Int)
    }

    /// The longest packet that is put together.
    private static let maximumLength = 1 << 20

    private var payload: [UInt8] = []
    /// Segment lengths of the page at hand, and how many of them are done.
    private var lacing: [UInt8] = []
    private var segmentsDone = 0
    /// Where the packet at hand begins and how far it has come.
    private var packet = 0..<0
    /// Offset of its first byte, and of the byte after what has come, in the whole input.
    private var packetOffset: Int64 = 0
    private var offset: Int64 = 0
    /// The packet at hand goes on in the next page.
    private(set) var isOpen = false
    /// The packet at hand has no beginning, or is too long: its bytes are dropped.
    private var isDropping = false

    subscript(range: Range<Int>) -> ArraySlice<UInt8> { payload[range] }

    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        payload.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Throws away the packets that were read.
    mutating func forgetRead() {
        guard packet.lowerBound > 0 else { return }
        payload.removeSubrange(..<packet.lowerBound)
        packet = 0..<packet.count
    }

    /// A whole page, whose first byte is byte `offset` of the input.
    mutating func take(_ page: OggPage, _ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        self.offset = offset + Int64(page.headerLength)
        if !isOpen {
            packetOffset = self.offset
            isDropping = page.isContinued
        }
        lacing.removeAll(keepingCapacity: true)
        lacing.append(contentsOf: bytes[OggPage.fixedLength..<page.headerLength])
        payload.append(contentsOf: bytes[page.headerLength...])
        segmentsDone = 0
    }

    /// The next packet that ends on the page, or what is dropped.
    mutating func next() -> Piece? {
        while segmentsDone < lacing.count {
            let length = Int(lacing[segmentsDone])
            segmentsDone += 1
            packet = packet.lowerBound..<packet.upperBound + length
            offset += Int64(length)
            isOpen = length == 255
            if isOpen, packet.count > Self.maximumLength { isDropping = true }
            if isOpen, !isDropping || segmentsDone < lacing.count { continue }
            let (range, start) = (packet, packetOffset)
            packet = range.upperBound..<range.upperBound
            packetOffset = offset
            if isDropping {
                isDropping = isOpen
                return .dropped(range.count)
            }
            if !range.isEmpty { return .packet(range, offset: start) }
        }
        return nil
    }

    /// Forgets the packet at hand; returns how many bytes there were of it.
    mutating func drop() -> Int {
        defer {
            packet = packet.upperBound..<packet.upperBound
            packetOffset = offset
            isOpen = false
            isDropping = false
        }
        return packet.count
    }
}
