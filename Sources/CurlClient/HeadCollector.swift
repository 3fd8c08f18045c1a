// SPDX-License-Identifier: MIT

import RadioFormats

/// Collects the lines of response heads from curl until the final head is complete. No I/O.
///
/// A new status line begins a new head: informational responses and redirects are dropped. Parses the status itself,
/// because curl reports 200 for every `ICY` line.
///
/// Whatever makes no sense is ignored and counted: radio servers send much that breaks HTTP, and audio all the same.
struct HeadCollector {
    /// A complete head.
    struct Head {
        var status = 0
        /// The text after the status code.
        var reason = ""
        var isICY = false
        var fields: [(name: String, value: String)] = []
        /// How many lines made no sense, or had a value that makes no sense.
        var ignored = 0
        /// Whether there is a length that makes no sense. curl may have obeyed it.
        var isLengthMisread = false

        /// The first value of a field; `name` in lower case.
        subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    /// What a line of a head leads to.
    enum Event {
        /// The head continues, or the line belongs to no head (a trailer).
        case none
        /// A redirect that curl follows.
        case redirect(Head)
        /// The head of the final response.
        case final(Head)
    }

    /// Why a head is rejected.
    enum Problem: Error {
        case tooManyFields, tooManyBytes, tooManyInformational, noStatusLine
    }

    static let fieldLimit = 64
    static let byteLimit = 16 * 1024
    static let informationalLimit = 5

    /// Whether curl follows redirects. If it does not, the head of a redirect is a final head.
    var followsRedirects = true

    private enum Place { case statusLine, fields, behindFinal }

    private var place = Place.statusLine
    private var head = Head()
    private var lines = 0
    private var bytes = 0
    private var informational = 0

    /// Takes a line, including its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(Problem) -> Event {
        guard place != .behindFinal else { return .none }
        bytes += line.count
        guard bytes <= Self.byteLimit else { throw .tooManyBytes }
        let text = line[...].trimmed(Self.isBlank)
        switch place {
        case .statusLine:
            try takeStatusLine(text)
        case .fields where text.isEmpty:
            return try endHead()
        default:
            try takeField(text, isContinuation: line.first.map(Self.isBlank) ?? false)
        }
        return .none
    }

    private mutating func takeStatusLine(_ line: Slice<UnsafeRawBufferPointer>) throws(Problem) {
        let words = line.split(whereSeparator: Self.isBlank)
        let version = words.first.map { $0.prefix(4).map { $0 | 0x20 } } ?? []
        let isICY = version.starts(with: "icy".utf8)
        guard isICY || version.elementsEqual("http".utf8) else { throw .noStatusLine }
        place = .fields
        // `200OK` and `OK 200` have been seen. Without any status, the body shows what it is.
        let rest = words.dropFirst()
        guard let place = rest.firstIndex(where: { Self.status($0) != nil }), let status = Self.status(rest[place])
        else {
            head = Head(status: 200, isICY: isICY, ignored: 1)
            return
        }
        let reason = ([rest[place].dropFirst(3)] + rest[(place + 1)...]).map(Self.text)
        head = Head(status: status, reason: reason.filter { !$0.isEmpty }.joined(separator: " "), isICY: isICY)
    }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>, isContinuation: Bool) throws(Problem) {
        lines += 1
        guard lines <= Self.fieldLimit else { throw .tooManyFields }
        if isContinuation, let last = head.fields.indices.last {
            head.fields[last].value += " " + Self.text(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
            let name = Self.text(line[..<colon].trimmed(Self.isBlank)).lowercased()
            // A line without a valid name is not a field. If the next line continues it, that text is appended to the
            // previous field, which at most affects display.
            let value = Self.text(line[(colon + 1)...].trimmed(Self.isBlank))
            guard TransferRequest.isToken(name), Self.makesSense(name, value) else {
                head.ignored += 1
                if name == "content-length" { head.isLengthMisread = true }
                return
            }
            head.fields.append((name, value))
        } else {
            head.ignored += 1
        }
    }

    /// Whether the value of a field that decides how the body is read can be meant.
    private static func makesSense(_ name: String, _ value: String) -> Bool {
        switch name {
        case "content-length": !value.isEmpty && value.utf8.allSatisfy(\.isDigit)
        case "content-encoding": value.isEmpty || value.lowercased() == "identity" || isCompression(value)
        default: true
        }
    }

    /// Whether the value of a `Content-Encoding` says that the body is compressed.
    static func isCompression(_ value: String) -> Bool {
        value.lowercased().split { ", ;".contains($0) }.contains { codings.contains(String($0)) }
    }

    /// The content codings of HTTP (the registry of RFC 9110, section 16.6.1). Servers also send charsets, `none` and
    /// the type of the audio here.
    private static let codings: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip",
        "zstd",
    ]

    private mutating func endHead() throws(Problem) -> Event {
        var whole = head
        whole.dropSenselessLength()
        (place, head, lines, bytes) = (.statusLine, Head(), 0, 0)
        if (100..<200).contains(whole.status) {
            informational += 1
            guard informational <= Self.informationalLimit else { throw .tooManyInformational }
            return .none
        }
        // curl follows redirects by the same rule.
        if followsRedirects, (300..<400).contains(whole.status), !whole.isICY,
            whole.fields.contains(where: { $0.name == "location" && !$0.value.isEmpty })
        {
            return .redirect(whole)
        }
        place = .behindFinal
        return .final(whole)
    }

    // MARK: Text

    /// Decodes UTF-8, or else Latin-1.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }

    /// The three digits at the beginning of a word; nil if there are more or fewer.
    private static func status(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = word.prefix(while: \.isDigit)
        guard digits.count == 3 else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return number >= 100 ? number : nil
    }
}

extension HeadCollector.Head {
    /// Ignores a length if another one contradicts it, or if the fields are those of a live station. An endless length
    /// does no harm.
    fileprivate mutating func dropSenselessLength() {
        let lengths = Set(fields.lazy.filter { $0.name == "content-length" }.map(\.value))
        let isLive = fields.contains { $0.name.hasPrefix("icy-") }
        let isEndless = lengths.first.flatMap(Int64.init) ?? .max >= ContentLength.endless
        let isPlausible = lengths.count == 1 && (!isLive || isEndless)
        guard !lengths.isEmpty, !isPlausible else { return }
        fields.removeAll { $0.name == "content-length" }
        ignored += 1
        isLengthMisread = true
    }
}
