// SPDX-License-Identifier: MIT

import RadioFormats

/// Makes the ID shared by all segments of one recording.
enum RecordingIdentity {
    /// 16 random hexadecimal digits.
    static func make() -> String { UInt64.random(in: .min ... .max).sixteenDigits }
}
