// SPDX-License-Identifier: MIT

import RadioFormats

/// Counts what of a file is neither a tag nor plays for any time: too much of that is no audio. A value.
struct IdleBytes {
    private var count = 0

    /// After so much a file is given up: it would only be waited for.
    private static let most = 1 << 20

    var areTooMany: Bool { count > Self.most }

    mutating func note(_ event: FramerEvent) {
        switch event {
        case .frame(let frame): count = frame.samples > 0 ? 0 : count + frame.range.count
        case .skipped(let bytes, let reason): if reason != .tag { count += bytes }
        case .format, .title, .discontinuity, .missing, .wrongChecksum: break
        }
    }
}
