// SPDX-License-Identifier: MIT

/// The head of a request that ``HTTPHeadParser`` has accepted.
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: HTTPMethod
    package var target: HTTPTarget
    /// 0 for HTTP/1.0, 1 for HTTP/1.1 and later.
    package var minorVersion = 1
    /// The fields in order; names in lower case, values trimmed and without control characters.
    package var fields: [HTTPField] = []
    /// Whether the head conformed to RFC 9112 to the letter. If not, a proxy may see the end of the head elsewhere, so
    /// the following bytes must not be read as a request.
    package internal(set) var isStrict = true
    /// Why a page must refuse the request; nil if it need not. A stream may be served in spite of the fault: its
    /// request is the last one of the connection, so nobody can take the following bytes for another request.
    package internal(set) var fault: HTTPRequestError?

    /// The first value of a field; `name` in lower case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Whether the client wants its connection kept for another request (RFC 9112, section 9.3).
    var wantsConnectionKept: Bool {
        let options = fields.filter { $0.name == "connection" }.flatMap { field in
            field.value.lowercased().split(separator: ",").map(\.withoutBlanks)
        }
        return !options.contains("close") && (minorVersion > 0 || options.contains("keep-alive"))
    }
}
