// SPDX-License-Identifier: MIT

/// Joins the segments of one logical stream's pages into packets, contiguous in memory (RFC 3533 §5).
///
/// Call ``take(_:_:at:)`` with a page, then ``next()`` until it returns nil.
struct OggPacketReader {
    enum Output {
        /// A whole packet, whose bytes are valid until the next ``forgetRead()`` or ``compact()``. Never empty.
        case packet(Range<Int>, offset: Int64)
        /// The next bytes of a packet that is too long to be assembled; valid as long as those of a whole packet.
        case part(Range<Int>, isFirst: Bool, isLast: Bool)
        /// This many bytes of a packet whose beginning is missing.
        case dropped(Int)
    }

    /// The longest packet that is assembled, in bytes.
    private static let maximumLength = 1 << 20

    private var payload: [UInt8] = []
    /// The segment lengths of the current page, and how many of them are done.
    private var lacing: [UInt8] = []
    private var segmentsDone = 0
    /// The range of the current packet's bytes, as far as received.
    private var packet = 0..<0
    /// Offsets in the whole input: of the first byte of the packet, and of the byte after the last byte of it received
    /// so far.
    private var packetOffset: Int64 = 0
    private var offset: Int64 = 0
    /// Whether the current packet continues on the next page.
    private(set) var isOpen = false
    private var handling = Handling.whole

    /// What is done with the bytes of the current packet.
    private enum Handling {
        case whole
        /// The packet is too long: its bytes are returned as they arrive.
        case parts(isFirst: Bool)
        case drop
    }

    subscript(range: Range<Int>) -> ArraySlice<UInt8> { payload[range] }

    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        payload.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Discards the packets that have been read.
    mutating func forgetRead() {
        guard packet.lowerBound > 0 else { return }
        payload.removeSubrange(..<packet.lowerBound)
        packet = 0..<packet.count
    }

    /// Discards the packets that have been read, and frees their memory.
    mutating func compact() {
        guard packet.lowerBound > 0 else { return }
        payload = Array(payload[packet.lowerBound...])
        packet = 0..<packet.count
    }

    /// Takes a whole page, whose first byte is byte `offset` of the input.
    mutating func take(_ page: OggPage, _ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        self.offset = offset + Int64(page.headerLength)
        if !isOpen {
            packetOffset = self.offset
            handling = page.isContinued ? .drop : .whole
        }
        lacing.removeAll(keepingCapacity: true)
        lacing.append(contentsOf: bytes[OggPage.fixedLength..<page.headerLength])
        payload.append(contentsOf: bytes[page.headerLength...])
        segmentsDone = 0
    }

    /// Returns the next packet that ends on the page, or what the page has of a packet that is not assembled; nil at
    /// the end of the page.
    mutating func next() -> Output? {
        while segmentsDone < lacing.count {
            let length = Int(lacing[segmentsDone])
            segmentsDone += 1
            packet = packet.lowerBound..<packet.upperBound + length
            offset += Int64(length)
            isOpen = length == 255
            if isOpen, case .whole = handling {
                guard packet.count > Self.maximumLength else { continue }
                handling = .parts(isFirst: true)
            }
            if isOpen, segmentsDone < lacing.count { continue }
            let (range, start, handling) = (packet, packetOffset, handling)
            packet = range.upperBound..<range.upperBound
            packetOffset = offset
            if !isOpen { self.handling = .whole }
            switch handling {
            case .whole:
                if !range.isEmpty { return .packet(range, offset: start) }
            case .parts(let isFirst):
                if isOpen { self.handling = .parts(isFirst: false) }
                return .part(range, isFirst: isFirst, isLast: !isOpen)
            case .drop:
                return .dropped(range.count)
            }
        }
        return nil
    }

    /// Drops the current packet; returns how many bytes of it had been received.
    mutating func drop() -> Int {
        defer {
            packet = packet.upperBound..<packet.upperBound
            packetOffset = offset
            isOpen = false
            handling = .whole
        }
        return packet.count
    }
}
