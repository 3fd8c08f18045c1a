// SPDX-License-Identifier: MIT

/// The head of a request, as ``HTTPHeadParser`` lets it pass.
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: HTTPMethod
    package var target: HTTPTarget
    /// 0 for HTTP/1.0, 1 for HTTP/1.1 and what may follow it.
    package var minorVersion: Int
    /// Names in lower case, in order; values trimmed, without control characters.
    package var fields: [HTTPField]
    /// Whether it was read to the letter. Where it was not, another reader may see its end elsewhere: then nothing that
    /// follows is read as a request.
    package internal(set) var isStrict = true

    package init(method: HTTPMethod, target: HTTPTarget, minorVersion: Int = 1, fields: [HTTPField] = []) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
    }

    /// The first value of a field; the name in lower case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Whether the client would have its connection kept for another request (RFC 9112, section 9.3).
    var wantsConnectionKept: Bool {
        let options = fields.filter { $0.name == "connection" }.flatMap { field in
            field.value.lowercased().split(separator: ",").map(\.withoutBlanks)
        }
        return !options.contains("close") && (minorVersion > 0 || options.contains("keep-alive"))
    }
}
