// SPDX-License-Identifier: MIT

extension OriginScript.Step {
    /// A response head: a status line and headers in order.
    package static func head(_ status: String, _ headers: KeyValuePairs<String, String> = [:]) -> Self {
        .send(headBytes(status, headers))
    }

    /// A response head in packets of one byte.
    package static func drippedHead(_ status: String, _ headers: KeyValuePairs<String, String> = [:]) -> Self {
        .drip(headBytes(status, headers))
    }

    /// The response head of a SHOUTcast 1 station, with a metadata interval if one is given.
    package static func icyHead(
        _ status: String = "ICY 200 OK", type: String = "audio/mpeg", name: String = "Scripted", interval: Int? = nil
    ) -> Self {
        let lines =
            ["icy-notice1: test", "icy-name: \(name)", "icy-pub: 0", "Content-Type: \(type)"]
            + (interval.map { ["icy-metaint: \($0)"] } ?? [])
        return .send(Array((([status] + lines).joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    /// The response head of a file of this length, of which a client can request parts.
    package static func fileHead(_ length: Int, type: String = "audio/mpeg", tag: String? = nil) -> Self {
        let lines =
            ["HTTP/1.1 200 OK", "Content-Type: \(type)", "Accept-Ranges: bytes", "Content-Length: \(length)"]
            + (tag.map { ["ETag: \"\($0)\""] } ?? [])
        return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    /// A complete response with an error page.
    package static func failure(_ code: Int, _ reason: String, _ headers: KeyValuePairs<String, String> = [:]) -> Self {
        .send(headBytes("HTTP/1.0 \(code) \(reason)", headers) + Array("\(code) \(reason)\n".utf8))
    }

    /// A complete redirect response.
    package static func redirect(to location: String, code: Int = 302) -> Self {
        .head("HTTP/1.0 \(code) Moved", ["Location": location, "Content-Length": "0"])
    }

    /// A complete response with a text as its body.
    package static func text(_ body: String, type: String) -> Self {
        .send(headBytes("HTTP/1.0 200 OK", ["Content-Type": type]) + Array(body.utf8))
    }

    private static func headBytes(_ status: String, _ headers: KeyValuePairs<String, String>) -> [UInt8] {
        let lines = [status] + headers.map { "\($0): \($1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
