// SPDX-License-Identifier: MIT

extension JSONValue {
    /// How deeply arrays and objects may be nested in a parsed document.
    package static let maximumDepth = 64

    /// Parses one document and nothing else: RFC 8259 to the letter, UTF-8 without a byte order mark, no comments, no
    /// trailing commas, no two members with one name.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - limit: the most bytes that are accepted.
    /// - Throws: ``JSONError`` with the place of the first fault.
    package init(parsing bytes: [UInt8], limit: Int) throws(JSONError) {
        try self.init(reading: bytes, limit: limit)
    }

    /// Parses a document like ``init(parsing:limit:)``. The first byte of the document is at index 0. Generic, so that
    /// tests can count the bytes that are read.
    package init(reading bytes: some IndexedBytes, limit: Int) throws(JSONError) {
        guard bytes.count <= limit else { throw JSONError(.tooLong, offset: limit) }
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
    }
}

private struct JSONParser<Bytes: IndexedBytes> {
    let bytes: Bytes
    var offset = 0

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw JSONError(.trailingBytes, offset: offset) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth < JSONValue.maximumDepth else { throw JSONError(.tooDeep, offset: offset) }
        var members: [JSONObject.Member] = []
        var names: Set<String> = []
        offset += 1
        if skip(UInt8(ascii: "}")) { return JSONObject() }
        repeat {
            skipSpace()
            let start = offset
            guard try peek() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, offset: offset) }
            let name = try string()
            guard names.insert(name).inserted else { throw JSONError(.duplicateName, offset: start) }
            try require(UInt8(ascii: ":"))
            members.append(JSONObject.Member(name: name, value: try value(depth: depth + 1)))
        } while skip(UInt8(ascii: ","))
        try require(UInt8(ascii: "}"))
        return JSONObject(distinct: members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth < JSONValue.maximumDepth else { throw JSONError(.tooDeep, offset: offset) }
        var elements: [JSONValue] = []
        offset += 1
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
        } while skip(UInt8(ascii: ","))
        try require(UInt8(ascii: "]"))
        return elements
    }

    private mutating func string() throws(JSONError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.badString, offset: start)
                }
                return text
            case UInt8(ascii: "\\"):
                let scalar = try escape()
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case 0..<0x20:
                throw JSONError(.badString, offset: offset)
            default:
                text.append(byte)
                offset += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let letter = try peek()
        offset += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw JSONError(.badEscape, offset: start)
        }
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A high surrogate is invalid unless a low surrogate comes right after it.
        guard unit < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) else {
            throw JSONError(.badEscape, offset: start)
        }
        offset += 2
        let low = try fourDigits()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x1_0000 + (UInt32(unit - 0xD800) << 10 | UInt32(low - 0xDC00)))
        else { throw JSONError(.badEscape, offset: start) }
        return scalar
    }

    private mutating func fourDigits() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = try peek().hexadecimal else { throw JSONError(.badEscape, offset: offset) }
            value = value << 4 | UInt16(digit)
            offset += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = skipDigits()
        guard whole > 0 else {
            throw JSONError(offset == start ? .unexpectedByte : .badNumber, offset: start)
        }
        guard whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            throw JSONError(.badNumber, offset: start)
        }
        var isInteger = true
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            guard skipDigits() > 0 else { throw JSONError(.badNumber, offset: start) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard skipDigits() > 0 else { throw JSONError(.badNumber, offset: start) }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        // Minus zero and integers that do not fit into 64 bits are doubles.
        if isInteger, text != "-0", let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw JSONError(.badNumber, offset: start) }
        return .number(value)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let matches = word.withUTF8Buffer { bytes[offset...].starts(with: $0) }
        guard matches else { throw JSONError(.unexpectedByte, offset: offset) }
        offset += word.utf8CodeUnitCount
        return value
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
        return offset - start
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    /// Skips white space, and then `byte` if it comes next; returns whether `byte` was skipped.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(JSONError) {
        guard skip(byte) else {
            throw JSONError(offset == bytes.count ? .endOfInput : .unexpectedByte, offset: offset)
        }
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw JSONError(.endOfInput, offset: offset) }
        return bytes[offset]
    }
}
