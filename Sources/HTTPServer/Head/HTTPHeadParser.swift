// SPDX-License-Identifier: MIT

import RadioFormats

/// Parses a request head from bytes as they arrive: incremental, bounded, pure.
///
/// Follows RFC 9112. Throws for heads that cannot be answered safely, and notes lesser deviations in
/// ``HTTPRequestHead/fault``: pages refuse a request with a fault, streams do not. Call ``read(_:)`` until it returns a
/// head or throws; after that the parser is used up. It stores an unfinished line and the fields so far, within the
/// limits.
package struct HTTPHeadParser {
    package struct Limits: Hashable, Sendable {
        /// Bytes of the request line, without its line end.
        package var requestLine = 4 * 1024
        /// Bytes of the whole head, including line ends.
        package var head = 16 * 1024
        package var fields = 64

        package init() {}
    }

    /// The state after the bytes passed so far.
    package enum Progress: Hashable, Sendable {
        case more
        /// The head is complete, and ends after the first `consumed` bytes of the last call.
        case head(HTTPRequestHead, consumed: Int)
    }

    private let limits: Limits
    private var state = State.requestLine
    /// The beginning of an incomplete line; stays empty if the head arrives at once.
    private var unfinished: [UInt8] = []
    private var bytesSeen = 0
    private var method = HTTPMethod.get
    private var target = HTTPTarget(path: "/")
    private var minorVersion = 1
    private var fields: [HTTPField] = []
    /// Whether every line conformed to RFC 9112, without anything that the RFC only tolerates.
    private var isStrict = true
    /// The first deviation that only pages refuse.
    private var fault: HTTPRequestError?

    private enum State {
        case requestLine, fields
    }

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Takes the next bytes. Does not read past the head.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(HTTPRequestError) -> Progress {
        var start = 0
        while let length = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map({ $0 - start }) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
            start += length + 1
            if try takeLine(line) { return .head(try head(), consumed: start) }
        }
        unfinished += bytes[start...]
        bytesSeen += bytes.count - start
        try unfinished.withUnsafeBufferPointer { line throws(HTTPRequestError) in
            try checkBeginning(UnsafeRawBufferPointer(line))
        }
        guard bytesSeen <= limits.head else { throw tooLarge() }
        return .more
    }

    /// Completes the present line with `end`. Returns true for the empty line that ends the head.
    private mutating func takeLine(_ end: UnsafeRawBufferPointer) throws(HTTPRequestError) -> Bool {
        bytesSeen += end.count + 1
        guard !unfinished.isEmpty else { return try takeWholeLine(end) }
        let line = unfinished + end
        unfinished.removeAll(keepingCapacity: true)
        return try line.withUnsafeBufferPointer { line throws(HTTPRequestError) in
            try takeWholeLine(UnsafeRawBufferPointer(line))
        }
    }

    private mutating func takeWholeLine(_ line: UnsafeRawBufferPointer) throws(HTTPRequestError) -> Bool {
        try checkBeginning(line)
        guard bytesSeen <= limits.head else { throw tooLarge() }
        let hasReturn = line.last == UInt8(ascii: "\r")
        isStrict = isStrict && hasReturn
        return try endLine(hasReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line)
    }

    private func tooLarge() -> HTTPRequestError {
        switch state {
        case .requestLine: HTTPRequestError(.uriTooLong, "the request line is longer than \(limits.requestLine) bytes")
        case .fields: HTTPRequestError(.headerFieldsTooLarge, "the header is longer than \(limits.head) bytes")
        }
    }

    /// Throws early if no further byte can help: the request line is too long, or the client does not speak HTTP.
    private func checkBeginning(_ line: UnsafeRawBufferPointer) throws(HTTPRequestError) {
        guard state == .requestLine else { return }
        if let byte = line.first, !byte.isOfToken, byte != UInt8(ascii: "\r") {
            throw bad("this is not an HTTP request")
        }
        // The limit does not include a carriage return that ends the line.
        guard line.count <= limits.requestLine + 1 else { throw tooLarge() }
    }

    /// Returns true for the empty line that ends the head.
    private mutating func endLine(_ line: UnsafeRawBufferPointer) throws(HTTPRequestError) -> Bool {
        switch state {
        case .requestLine:
            // Old clients send an empty line before a request (RFC 9112, section 2.2).
            guard !line.isEmpty || bytesSeen > 2 else {
                isStrict = false
                return false
            }
            guard line.count <= limits.requestLine else { throw tooLarge() }
            try readRequestLine(line)
            state = .fields
            return false
        case .fields:
            guard !line.isEmpty else { return true }
            guard fields.count < limits.fields
            else { throw HTTPRequestError(.headerFieldsTooLarge, "more than \(limits.fields) header fields") }
            try readField(line)
            return false
        }
    }

    private mutating func readRequestLine(_ line: UnsafeRawBufferPointer) throws(HTTPRequestError) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw bad("the request line is not METHOD TARGET HTTP/1.1") }
        minorVersion = try version(parts[2])
        let name = String(decoding: parts[0], as: UTF8.self)
        guard !name.isEmpty, parts[0].allSatisfy(\.isOfToken) else { throw bad("the method is not a token") }
        guard let method = HTTPMethod(rawValue: name) else {
            throw HTTPMethod.refused.contains(name)
                ? HTTPRequestError(.methodNotAllowed, "\(name) is not allowed here")
                : HTTPRequestError(.notImplemented, "this method is not supported")
        }
        self.method = method
        target = try HTTPTarget(parsing: Array(parts[1]))
        guard target.path != "*" || method == .options else { throw bad("only OPTIONS may request *") }
    }

    private func version(_ text: Slice<UnsafeRawBufferPointer>) throws(HTTPRequestError) -> Int {
        let prefix = "HTTP/1.".utf8
        guard text.count == prefix.count + 1, text.starts(with: prefix), let digit = text.last,
            digit.isDigit
        else { throw bad("this is not HTTP/1.0 or HTTP/1.1") }
        return digit == UInt8(ascii: "0") ? 0 : 1
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) throws(HTTPRequestError) {
        guard !line.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f })
        else { throw bad("a header field holds control characters") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return tolerate("a header field has no colon")
        }
        // A folded line begins with a blank, so its name counts as broken. Fields with broken names are dropped.
        let name = line[..<colon].withoutBlanks
        guard !name.isEmpty, name.startIndex == line.startIndex, name.allSatisfy(\.isOfToken) else {
            return tolerate("a header field has a broken name")
        }
        // A field with a blank before its colon is accepted, because a proxy in front of this server may have accepted
        // it.
        if name.endIndex != colon { tolerate("a header field has a blank before its colon") }
        let value = line[(colon + 1)...].withoutBlanks
        fields.append(HTTPField(name.lowercased, String(decoding: value, as: UTF8.self)))
    }

    /// Keeps a deviation that only pages refuse.
    private mutating func tolerate(_ message: String) {
        isStrict = false
        fault = fault ?? bad(message)
    }

    /// Performs the checks that need all fields.
    private mutating func head() throws(HTTPRequestError) -> HTTPRequestHead {
        try checkHost()
        guard !fields.contains(where: { $0.name == "transfer-encoding" })
        else { throw bad("a request with a Transfer-Encoding is not accepted") }
        try refuseBody()
        var head = HTTPRequestHead(method: method, target: target, minorVersion: minorVersion, fields: fields)
        head.isStrict = isStrict
        head.fault = fault
        return head
    }

    /// Throws if there are two different `Host` fields, and removes a `Host` that does not look like a host and port.
    private mutating func checkHost() throws(HTTPRequestError) {
        let hosts = fields.filter { $0.name == "host" }.map { $0.value.lowercased() }
        guard Set(hosts).count <= 1 else { throw bad("two different Host fields") }
        if hosts.count > 1 { tolerate("more than one Host field") }
        if hosts.isEmpty, minorVersion > 0 { tolerate("HTTP/1.1 needs a Host") }
        if let host = hosts.first, !isPlausibleHost(host) {
            tolerate("the Host field is not a valid host")
            fields.removeAll { $0.name == "host" }
        }
        if let authority = target.authority, authority != hosts.first {
            tolerate("the target and the Host field name different hosts: this is not a proxy")
        }
    }

    /// Throws if the request has a body, because no route takes one.
    private mutating func refuseBody() throws(HTTPRequestError) {
        let lengths = fields.filter { $0.name == "content-length" }
        guard lengths.count <= 1 else { throw bad("more than one Content-Length") }
        guard let text = lengths.first?.value else { return }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit })
        else { throw bad("the Content-Length is not a number") }
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "0") })
        else { throw HTTPRequestError(.contentTooLarge, "a request with a body is not accepted here") }
        isStrict = isStrict && text == "0"
    }

    private func bad(_ message: String) -> HTTPRequestError {
        HTTPRequestError(.badRequest, message)
    }

    /// Whether `host` has only characters of a host and port. ``HostCheck`` decides whether it names this server.
    private func isPlausibleHost(_ host: String) -> Bool {
        host.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".-_:[]%".utf8.contains($0) }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Without spaces and tabs at both ends.
    fileprivate var withoutBlanks: Self { trimmed { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// The bytes of a token as text, with ASCII letters in lower case.
    fileprivate var lowercased: String {
        String(unsafeUninitializedCapacity: count) { buffer in
            buffer.initialize(fromContentsOf: lazy.map(\.lowercased))
        }
    }
}
