// SPDX-License-Identifier: MIT

/// A complete response, or the head of a streamed one.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: [HTTPField]
    package var body: HTTPBody

    package init(_ status: HTTPStatus, fields: [HTTPField] = [], body: HTTPBody) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package init(_ status: HTTPStatus, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.init(status, fields: fields, body: .bytes(body))
    }

    /// A line of plain text.
    package init(_ status: HTTPStatus, fields: [HTTPField] = [], text: String) {
        self.init(
            status, fields: fields + [HTTPField("Content-Type", "text/plain; charset=utf-8")],
            body: Array((text + "\n").utf8))
    }

    /// A temporary refusal that tells the client how long to wait, in whole seconds.
    package static func later(_ status: HTTPStatus, after wait: Duration, _ reason: String) -> HTTPResponse {
        let seconds = max(1, wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
        return HTTPResponse(
            status, fields: [HTTPField("Retry-After", String(seconds))], text: "\(reason), try again later")
    }

    /// The response in the form in which it is sent: with `Content-Length`, and without the body for HEAD.
    func outgoing(minorVersion: Int, isHead: Bool, isKept: Bool = false) -> OutgoingResponse {
        let hasLength = status != .noContent && status != .notModified
        let length = hasLength ? [HTTPField("Content-Length", String(body.count))] : []
        let head = Self.encodedHead(status, fields: fields + length, minorVersion: minorVersion, isKept: isKept)
        return OutgoingResponse(head, isHead ? .bytes([]) : body)
    }

    /// The head of a response whose body lasts until the connection ends.
    package func encodedStreamHead(minorVersion: Int) -> [UInt8] {
        Self.encodedHead(status, fields: fields, minorVersion: minorVersion)
    }

    /// Answers in the client's version: some radios fail on an HTTP/1.1 answer to an HTTP/1.0 request.
    private static func encodedHead(
        _ status: HTTPStatus, fields: [HTTPField], minorVersion: Int, isKept: Bool = false
    ) -> [UInt8] {
        var text = "HTTP/1.\(minorVersion) \(status.rawValue) \(status.reason)\r\n"
        for field in fields + [HTTPField("Connection", isKept ? "keep-alive" : "close")] {
            text += "\(field.name): \(field.value.withoutControls)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}

extension String {
    /// Values, such as a station's name, are untrusted: they must not end a line.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
    }
}
