// SPDX-License-Identifier: MIT

/// Makes the ID shared by all segments of one recording.
enum RecordingIdentity {
    /// 16 random hexadecimal digits.
    static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
