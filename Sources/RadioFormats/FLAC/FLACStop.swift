// SPDX-License-Identifier: MIT

/// What may follow the end of a frame.
enum FLACStop {
    case frame(FLACFrameHeader)
    /// The `fLaC` marker of a stream's head, and the header of the STREAMINFO block that must follow it.
    case head
    case tag(length: Int)
    /// A sync code without a valid header. The header may be damaged, or the two bytes are part of a frame.
    case sync

    static let markLength = 4

    /// Recognizes what stands at the front of `bytes`; nil if no case fits.
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

    /// Whether `bytes` begin with the `fLaC` marker and the header of the STREAMINFO block. Of these 64 bits only the
    /// flag of the last block varies.
    static func isHead(_ bytes: some Collection<UInt8>) -> Bool {
        let mark = "fLaC".utf8
        guard bytes.starts(with: mark) else { return false }
        let header = bytes.dropFirst(markLength)
        return header.first.map { $0 & 0x7F == 0 } == true && header.dropFirst().starts(with: [0, 0, 34])
    }
}
