// SPDX-License-Identifier: MIT

import RadioFormats

/// Counts the bytes of a file since its last frame, except for tags and attachments such as covers. Too many of these
/// bytes mean that the file is not audio.
struct IdleBytes {
    private var count = 0

    /// A file with more idle bytes is abandoned, because it would only keep listeners waiting.
    private static let most = 1 << 20

    var areTooMany: Bool { count > Self.most }

    mutating func note(_ event: FramerEvent) {
        switch event {
        case .frame(let frame): count = frame.samples > 0 ? 0 : count + frame.range.count
        case .skipped(let bytes, let reason): if reason != .tag, reason != .attachment { count += bytes }
        case .format, .title, .discontinuity, .missing, .wrongChecksum: break
        }
    }
}
