// SPDX-License-Identifier: MIT

/// A URL for people: without user name, password, query and fragment, which may hold credentials.
///
/// Takes any string, also one that is no URL: in doubt it removes more rather than less.
package func redactedURL(_ url: String) -> String {
    let bytes = Array(url.utf8)
    let schemeEnd = endOfScheme(bytes)
    var end = bytes[schemeEnd...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    var hostStart = schemeEnd
    let at = UInt8(ascii: "@")
    let authorityEnd = bytes[schemeEnd..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    if let last = bytes[schemeEnd..<authorityEnd].lastIndex(of: at) {
        hostStart = last + 1
    } else if let last = bytes[schemeEnd...].lastIndex(of: at), !isHostAndPort(bytes[schemeEnd..<authorityEnd]) {
        // A password with a slash or a question mark in it that nobody escaped.
        hostStart = last + 1
        end = bytes[hostStart...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    }
    let kept = bytes[..<schemeEnd] + bytes[hostStart..<end]
    return String(decoding: kept.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
}

/// The index behind `://`, or 0 where the text does not begin with a scheme.
private func endOfScheme(_ bytes: [UInt8]) -> Int {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8),
        bytes[..<colon].allSatisfy({ isLetterOrDigit($0) || "+-.".utf8.contains($0) })
    else { return 0 }
    return colon + 3
}

/// Whether the text can be a host with or without a port, and not the beginning of `user:password@`.
private func isHostAndPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first != UInt8(ascii: "["), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return true }
    return bytes[(colon + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: false
    }
}
