// SPDX-License-Identifier: MIT

/// A metadata block (RFC 9639 §8); only the types that Aircheck uses are parsed. Lengths include the block header.
enum FLACBlock {
    /// A STREAMINFO block. The info is nil if no decoder would accept it.
    case streamInfo(FLACStreamInfo?, length: Int, isLast: Bool)
    /// A comment block, which need not be complete: its comments follow the block header.
    case comments(length: Int, isLast: Bool)
    /// A block of another type, which need not be complete.
    case other(length: Int, isLast: Bool)
    case invalid

    static let headerLength = 4
    static let lastFlag: UInt8 = 0x80
    static let commentType: UInt8 = 4
    private static let (streamInfoType, invalidType): (UInt8, UInt8) = (0, 127)

    /// Parses the block at the front of `bytes`; nil if more bytes are needed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerLength else { return nil }
        let (type, isLast) = (bytes[0] & ~Self.lastFlag, bytes[0] & Self.lastFlag != 0)
        let length = Self.headerLength + Int(bytes[1]) << 16 + Int(bytes[2]) << 8 + Int(bytes[3])
        switch type {
        case Self.invalidType:
            self = .invalid
        case Self.streamInfoType where length == Self.headerLength + FLACStreamInfo.length:
            guard bytes.count >= length else { return nil }
            let info = FLACStreamInfo(Array(bytes[Self.headerLength..<length])[...])
            self = .streamInfo(info, length: length, isLast: isLast)
        case Self.commentType:
            self = .comments(length: length, isLast: isLast)
        default:
            self = .other(length: length, isLast: isLast)
        }
    }

    /// The comment block with its header, flagged as the last block.
    static func encoded(_ comments: VorbisComment) -> [UInt8] {
        [commentType | lastFlag] + length(of: comments.encoded) + comments.encoded
    }

    /// The STREAMINFO block with its header.
    static func encoded(_ info: FLACStreamInfo, isLast: Bool) -> [UInt8] {
        [isLast ? lastFlag : 0] + length(of: info.encoded) + info.encoded
    }

    private static func length(of content: [UInt8]) -> [UInt8] {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
    }
}
