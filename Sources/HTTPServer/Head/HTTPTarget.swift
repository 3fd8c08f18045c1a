// SPDX-License-Identifier: MIT

import RadioFormats

/// The target of a request: a decoded path and a raw query.
///
/// Rejects ambiguous paths: with a NUL, an encoded slash, `..`, a control character or invalid UTF-8. Routes compare
/// the whole ``path``. A query has no such rules: players send whatever follows the question mark of a link.
package struct HTTPTarget: Hashable, Sendable {
    /// The percent-decoded path, which begins with a slash; `*` for `OPTIONS *`.
    package var path: String
    /// The raw text after the first question mark.
    package var query: String
    /// The host and port of an absolute-form target, in lower case.
    package var authority: String?

    package init(path: String, query: String = "", authority: String? = nil) {
        self.path = path
        self.query = query
        self.authority = authority
    }

    /// Parses a request-target (RFC 9112, section 3.2): origin-form, absolute-form, or `*`.
    package init(parsing text: [UInt8]) throws(HTTPRequestError) {
        // Raw UTF-8 is not allowed in a URL, but players send it if their user typed it.
        guard text.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { throw .target("the target holds blanks or control characters") }
        guard text != [UInt8(ascii: "*")] else {
            self.init(path: "*")
            return
        }
        var rest = text[...]
        let authority = rest.first == UInt8(ascii: "/") ? nil : try Self.takeAuthority(&rest)
        let pathEnd = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let path = try Self.decode(rest[..<pathEnd])
        let query = String(decoding: rest[pathEnd...].dropFirst(), as: UTF8.self)
        self.init(path: path, query: query, authority: authority)
    }

    /// The decoded value of the first query item with this name; nil if there is no such item, empty if it has no value
    /// or a value with a NUL. A percent sign that does not begin an escape stands for itself.
    package func queryValue(_ name: String) -> String? {
        for item in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, key.elementsEqual(name.utf8) else { continue }
            guard parts.count == 2 else { return "" }
            let bytes = PercentEncoding.decoded(parts[1])
            return bytes.contains(0) ? "" : String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// Removes `http://authority`, leaving a text that begins with a slash. Returns the authority in lower case.
    private static func takeAuthority(_ rest: inout ArraySlice<UInt8>) throws(HTTPRequestError) -> String {
        let scheme = String(decoding: rest.prefix(7), as: UTF8.self).lowercased()
        guard scheme == "http://" else { throw .target("the target is neither a path nor an http URL") }
        let body = rest.dropFirst(7)
        let end = body.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? body.endIndex
        let authority = String(decoding: body[..<end], as: UTF8.self).lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { throw .target("the target has no host") }
        rest = body[end...]
        if rest.first != UInt8(ascii: "/") { rest = [UInt8(ascii: "/")] + rest }
        return authority
    }

    private static func decode(_ raw: ArraySlice<UInt8>) throws(HTTPRequestError) -> String {
        // Clients never send fragments, so a path with `#` is invalid.
        guard !raw.contains(UInt8(ascii: "#")) else { throw .target("the path contains forbidden characters") }
        let bytes = try percentDecode(raw)
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }),
            let path = String(validating: bytes, as: UTF8.self)
        else { throw .target("the path contains forbidden characters") }
        guard !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else { throw .target("the path contains '..'") }
        return path
    }

    /// Decodes `%XX`. Throws on an encoded NUL or slash and on a broken escape.
    private static func percentDecode(_ raw: ArraySlice<UInt8>) throws(HTTPRequestError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal
            else { throw .target("the target has a broken escape") }
            let value = high << 4 | low
            guard value != 0, value != UInt8(ascii: "/")
            else { throw .target("the target encodes a NUL or a slash") }
            result.append(value)
        }
        return result
    }
}

extension HTTPRequestError {
    fileprivate static func target(_ message: String) -> HTTPRequestError {
        HTTPRequestError(.badRequest, message)
    }
}
