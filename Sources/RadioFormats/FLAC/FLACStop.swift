// SPDX-License-Identifier: MIT

/// What may follow the end of a frame.
enum FLACStop {
    case frame(FLACFrameHeader)
    /// The mark of a stream's head, and the header of the STREAMINFO block that must follow it.
    case head
    case tag(length: Int)
    /// Bytes that begin like a header but are none: if a header is damaged, a whole frame ends before it all the same.
    case sync

    static let markLength = 4

    /// What stands at the front of `bytes`; nil if it is none of these.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if let header = FLACFrameHeader(bytes) {
            self = .frame(header)
        } else if Self.isHead(bytes) {
            self = .head
        } else if case .tag(let length) = TagSkipper.look(bytes) {
            self = .tag(length: length)
        } else if FLACFrameHeader.isSync(bytes) {
            self = .sync
        } else {
            return nil
        }
    }

    /// Whether `bytes` begin with the mark and the header of the STREAMINFO block: 64 bits that are always the same,
    /// but for one.
    static func isHead(_ bytes: some Collection<UInt8>) -> Bool {
        let mark = "fLaC".utf8
        guard bytes.starts(with: mark) else { return false }
        let header = bytes.dropFirst(markLength)
        return header.first.map { $0 & 0x7F == 0 } == true && header.dropFirst().starts(with: [0, 0, 34])
    }
}
