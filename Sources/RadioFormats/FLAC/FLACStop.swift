// SPDX-License-Identifier: MIT

/// What a frame may end in front of.
enum FLACStop {
    case frame(FLACFrameHeader)
    /// The mark of a stream's head, and the header of the STREAMINFO block that must follow it.
    case head
    case tag(length: Int)
    /// No header, but it begins like one: where that is damaged, a whole frame ends here all the same.
    case sync

    static let markLength = 4

    /// What stands at the front of `bytes`; nil where that is none of these.
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

    /// The mark and the header of a block are 64 bits that are always the same but for one.
    static func isHead(_ bytes: some Collection<UInt8>) -> Bool {
        let mark = "fLaC".utf8
        guard bytes.starts(with: mark) else { return false }
        let header = bytes.dropFirst(markLength)
        return header.first.map { $0 & 0x7F == 0 } == true && header.dropFirst().starts(with: [0, 0, 34])
    }
}
