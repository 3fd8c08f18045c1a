// SPDX-License-Identifier: MIT

/// Names a recording so that its segments find each other again.
enum RecordingIdentity {
    /// 16 hexadecimal digits, random.
    static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
