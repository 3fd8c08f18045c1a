// SPDX-License-Identifier: MIT

/// The head of a request, as ``HTTPHeadParser`` lets it pass.
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: HTTPMethod
    package var target: HTTPTarget
    /// 0 for HTTP/1.0, 1 for HTTP/1.1 and what may follow it.
    package var minorVersion: Int
    /// Names in lower case, in order; values trimmed, without control characters.
    package var fields: [HTTPField]

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
}
