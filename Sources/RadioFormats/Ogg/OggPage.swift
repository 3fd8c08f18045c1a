// SPDX-License-Identifier: MIT

/// The header of an Ogg page (RFC 3533 §6), without the payload.
struct OggPage: Hashable {
    /// The number of bytes before the segment table.
    static let fixedLength = 27
    static let longestHeader = fixedLength + 255
    /// The maximum size of a page in bytes: 255 segments of 255 bytes, and the header.
    static let maximumLength = longestHeader + 255 * 255
    static let checksumField = 22..<26
    static let captureMark: StaticString = "OggS"

    /// The header type: the page begins with the rest of a packet.
    static let continuedFlag: UInt8 = 1
    /// The header type: first page of a logical stream.
    static let beginFlag: UInt8 = 2
    /// The header type: last page of a logical stream.
    static let endFlag: UInt8 = 4

    var flags: UInt8
    /// The number of samples that can be played once the packets that end on this page are decoded; all ones if no
    /// packet ends on it.
    var granule: UInt64
    var serial: UInt32
    var sequence: UInt32
    var segmentCount: Int
    var payloadLength: Int

    var isContinued: Bool { flags & Self.continuedFlag != 0 }
    var isBegin: Bool { flags & Self.beginFlag != 0 }
    var isEnd: Bool { flags & Self.endFlag != 0 }
    /// The granule position; nil if no packet ends on the page, or if the position is impossibly large.
    var position: Int64? { Int64(exactly: granule) }
    var headerLength: Int { Self.fixedLength + segmentCount }
    var length: Int { headerLength + payloadLength }

    /// The bytes of the first packet that are on the page.
    func firstPacket(in page: UnsafeRawBufferPointer) -> [UInt8] {
        var end = headerLength
        for segment in page[Self.fixedLength..<headerLength] {
            end += Int(segment)
            if segment < 255 { break }
        }
        return Array(page[headerLength..<end])
    }

    enum Look {
        /// No page begins here.
        case none
        /// A page may begin here; this many bytes are needed to tell.
        case needs(Int)
        /// A page header, whose checksum is not verified yet. The page may be incomplete.
        case page(OggPage, checksum: UInt32)
    }

    /// Examines the front of `bytes`.
    static func look(_ bytes: UnsafeRawBufferPointer) -> Look {
        let isMark = captureMark.withUTF8Buffer { mark in zip(bytes, mark).allSatisfy { $0 == $1 } }
        guard isMark, bytes.count < 5 || bytes[4] == 0 else { return .none }
        guard bytes.count >= fixedLength else { return .needs(fixedLength) }
        let segmentCount = Int(bytes[26])
        guard bytes.count >= fixedLength + segmentCount else { return .needs(fixedLength + segmentCount) }
        let page = OggPage(
            flags: bytes[5], granule: bytes.littleEndian(at: 6), serial: bytes.littleEndian(at: 14),
            sequence: bytes.littleEndian(at: 18), segmentCount: segmentCount,
            payloadLength: bytes[fixedLength..<fixedLength + segmentCount].reduce(0) { $0 + Int($1) })
        return .page(page, checksum: bytes.littleEndian(at: checksumField.lowerBound))
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian integer. The caller must make sure that its bytes exist.
    func littleEndian<Value: FixedWidthInteger>(at offset: Int) -> Value {
        Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}
