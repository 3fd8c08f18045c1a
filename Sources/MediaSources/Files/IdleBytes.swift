// SPDX-License-Identifier: MIT

import RadioFormats

/// Counts the bytes of a file since its last frame. Too many of these bytes mean that the file is not audio. Tags do not
/// count, and attachments such as covers count separately: they are left out.
struct IdleBytes {
    private var count = 0
    /// Nil once taken.
    private var attachments: Int64? = 0

    /// A file with more idle bytes is abandoned, because it would only keep listeners waiting.
    private static let most = 1 << 20

    var areTooMany: Bool { count > Self.most }

    mutating func note(_ event: FramerEvent) {
        switch event {
        case .frame(let frame): count = frame.samples > 0 ? 0 : count + frame.range.count
        case .skipped(let bytes, .attachment): attachments? += Int64(bytes)
        case .skipped(let bytes, let reason): if reason != .tag { count += bytes }
        case .format, .title, .discontinuity, .missing, .wrongChecksum: break
        }
    }

    /// The size of the attachments so far, once and if there were any. Call when frames have arrived.
    mutating func takeAttachments() -> Int64? {
        guard let bytes = attachments, bytes > 0 else { return nil }
        attachments = nil
        return bytes
    }
}
