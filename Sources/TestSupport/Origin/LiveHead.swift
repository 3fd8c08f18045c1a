// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// The head of an answer: for a socket as text, for virtual time as a value.
package struct LiveHead: Sendable {
    /// The version of the status line, `HTTP/1.0` or `ICY`.
    package var version = "HTTP/1.0"
    package var status = 200
    package var reason = "OK"
    /// In the order in which they are sent.
    package var fields: [(name: String, value: String)] = []

    package init(_ status: Int = 200, _ reason: String = "OK", _ fields: KeyValuePairs<String, String> = [:]) {
        (self.status, self.reason) = (status, reason)
        self.fields = fields.map { ($0.key, $0.value) }
    }

    /// What goes over the wire, up to and with the empty line.
    package var bytes: [UInt8] {
        let lines = ["\(version) \(status) \(reason)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The value of the first field of a name, whatever its case.
    func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// What curl makes of it.
    func received(from url: String, redirects: Int) -> ResponseHead {
        ResponseHead(
            status: status, isICY: version == "ICY", fields: fields.map { ($0.name.lowercased(), $0.value) },
            finalURL: AddressText(url).redacted, effectiveURL: url, redirects: redirects, peerAddress: "127.0.0.1",
            isPeerPrivate: true)
    }
}
