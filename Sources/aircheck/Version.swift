// SPDX-License-Identifier: MIT

/// The version of the program; the one in CHANGELOG.md.
enum Version {
    static let string = "0.1.0"
    static let userAgent = "Aircheck/\(string)"
}
