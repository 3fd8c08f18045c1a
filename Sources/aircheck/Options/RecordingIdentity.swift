// SPDX-License-Identifier: MIT

/// Makes the identity by which the segments of one recording are recognised.
enum RecordingIdentity {
    /// 16 random hexadecimal digits.
    static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
