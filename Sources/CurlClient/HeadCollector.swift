// SPDX-License-Identifier: MIT

/// Collects the lines of response heads from curl until the final head is complete. No I/O.
///
/// A new status line begins a new head: informational responses and redirects are dropped. Parses the status itself,
/// because curl reports 200 for every `ICY` line.
struct HeadCollector {
    /// A complete head.
    struct Head {
        var status = 0
        /// The text after the status code.
        var reason = ""
        var isICY = false
        var fields: [(name: String, value: String)] = []
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
    enum Fault: Error {
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
    mutating func take(_ line: UnsafeRawBufferPointer) throws(Fault) -> Event {
        guard place != .behindFinal else { return .none }
        bytes += line.count
        guard bytes <= Self.byteLimit else { throw .tooManyBytes }
        let text = Self.trimmed(line[...])
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

    private mutating func takeStatusLine(_ line: Slice<UnsafeRawBufferPointer>) throws(Fault) {
        let words = line.split(whereSeparator: Self.isBlank)
        guard let version = words.first, let status = words.dropFirst().first.flatMap(Self.threeDigits) else {
            throw .noStatusLine
        }
        head = Head(
            status: status, reason: words.dropFirst(2).map(Self.text).joined(separator: " "),
            isICY: version.elementsEqual("ICY".utf8))
        guard head.isICY || version.starts(with: "HTTP/".utf8) else { throw .noStatusLine }
        place = .fields
    }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>, isContinuation: Bool) throws(Fault) {
        lines += 1
        guard lines <= Self.fieldLimit else { throw .tooManyFields }
        if isContinuation, let last = head.fields.indices.last {
            head.fields[last].value += " " + Self.text(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
            let name = Self.text(Self.trimmed(line[..<colon])).lowercased()
            // A line without a valid name is not a field. If the next line continues it, that text is appended to the
            // previous field, which at most affects display.
            guard TransferRequest.isToken(name) else { return }
            head.fields.append((name, Self.text(Self.trimmed(line[(colon + 1)...]))))
        }
    }

    private mutating func endHead() throws(Fault) -> Event {
        let whole = head
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

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        guard let start = bytes.firstIndex(where: { !isBlank($0) }),
            let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return bytes[bytes.startIndex..<bytes.startIndex] }
        return bytes[start...end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }

    private static func threeDigits(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard word.count == 3 else { return nil }
        var number = 0
        for byte in word {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return (100..<1000).contains(number) ? number : nil
    }
}
