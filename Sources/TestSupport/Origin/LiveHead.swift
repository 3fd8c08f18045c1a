// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// The head of a response: text for a socket, a value for virtual time.
package struct LiveHead: Sendable {
    /// The protocol version in the status line, `HTTP/1.0` or `ICY`.
    package var version = "HTTP/1.0"
    package var status = 200
    package var reason = "OK"
    /// The header fields in sending order.
    package var fields: [(name: String, value: String)] = []

    package init(_ status: Int = 200, _ reason: String = "OK", _ fields: KeyValuePairs<String, String> = [:]) {
        (self.status, self.reason) = (status, reason)
        self.fields = fields.map { ($0.key, $0.value) }
    }

    /// The head as it is sent, including the empty line.
    package var bytes: [UInt8] {
        let lines = ["\(version) \(status) \(reason)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The value of the first field called `name`, ignoring case; nil if there is none.
    func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The head as curl would report it.
    func received(
        from url: String, redirects: Int, isPrivate: Bool = true, cookies: [String] = []
    ) -> ResponseHead {
        ResponseHead(
            status: status, isICY: version == "ICY", fields: fields.map { ($0.name.lowercased(), $0.value) },
            finalURL: AddressText(url).redacted, effectiveURL: url, redirects: redirects,
            peerAddress: isPrivate ? VirtualTransfer.inside : "192.0.2.1", isPeerPrivate: isPrivate, cookies: cookies)
    }
}
