// SPDX-License-Identifier: MIT

/// The program's version, as in CHANGELOG.md.
enum Version {
    static let string = "0.1.0"
    static let userAgent = "Aircheck/\(string)"
}
