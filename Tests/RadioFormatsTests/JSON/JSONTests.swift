// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct JSONTests {
    @Test("Members keep their order in both styles of output") func memberOrder() {
        let value: JSONValue = ["z": 1, "a": [true, .null, "x"], "empty": [:], "none": []]
        #expect(value.text() == #"{"z":1,"a":[true,null,"x"],"empty":{},"none":[]}"#)
        #expect(
            value.text(.pretty) == """
                {
                  "z": 1,
                  "a": [
                    true,
                    null,
                    "x"
                  ],
                  "empty": {},
                  "none": []
                }

                """)
    }

    @Test("Numbers are written in their shortest form and never as NaN") func writtenNumbers() {
        #expect(JSONValue.integer(.min).text() == "-9223372036854775808")
        #expect(JSONValue.number(0.1).text() == "0.1")
        #expect(JSONValue.number(1).text() == "1.0")
        #expect(JSONValue.number(1e300).text() == "1e+300")
        #expect(JSONValue.number(.nan).text() == "null")
        #expect(JSONValue.number(-.infinity).text() == "null")
    }

    @Test("Characters that control a terminal are escaped") func escapes() {
        let text = JSONValue.string("a\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2066}\u{2028}\"\\\n\u{0}é😀").text()
        #expect(text == #""a\u001b[2J\u007f\u009b\u202e\u2066\u2028\"\\\n\u0000é😀""#)
    }

    @Test("A written value is read back equal") func roundTrip() throws {
        var random = JSONRandom(seed: 7)
        for _ in 0..<300 {
            let value = random.value(depth: 0)
            #expect(try parse(value.text()) == value)
            #expect(try parse(value.text(.pretty)) == value)
        }
    }

    @Test("Strings with escapes and surrogate pairs are read") func strings() throws {
        #expect(try parse(#""\u0041\/\b\f\ud83d\ude00\u00E9""#) == .string("A/\u{8}\u{C}😀é"))
    }

    @Test("Numbers are read as integers or as doubles") func numbers() throws {
        #expect(try parse("-12") == .integer(-12))
        #expect(try parse("1e2") == .number(100))
        #expect(try parse("18446744073709551616") == .number(18_446_744_073_709_551_616))
        #expect(try parse("-0").doubleValue?.sign == .minus)
    }

    @Test(
        "Text that is not JSON is refused with a reason",
        arguments: [
            ("", JSONError.Reason.endOfInput), ("[1,]", .unexpectedByte), ("[1 2]", .unexpectedByte),
            ("{\"a\" 1}", .unexpectedByte),
            ("{a:1}", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("\u{FEFF}1", .unexpectedByte),
            ("nul", .unexpectedByte),
            ("01", .badNumber), ("-", .badNumber), ("1.", .badNumber), ("1e", .badNumber), ("1e999", .badNumber),
            ("+1", .unexpectedByte), ("NaN", .unexpectedByte), ("\"\\x\"", .badEscape), ("\"\\ud800\"", .badEscape),
            ("\"\\udc00\\ud800\"", .badEscape), ("\"\\u12g4\"", .badEscape), ("\"a\nb\"", .badString),
            ("\"abc", .endOfInput),
            ("{\"a\":1,\"\\u0061\":2}", .duplicateName), ("1 1", .trailingBytes), ("[", .endOfInput),
            ("{\"a\":", .endOfInput),
            ("// no\n1", .unexpectedByte),
        ])
    func invalidText(_ text: String, _ reason: JSONError.Reason) {
        #expect(throws: JSONError.self) { try parse(text) }
        do {
            _ = try parse(text)
        } catch {
            #expect(error.reason == reason, "\(text)")
        }
    }

    @Test("Bytes that are not UTF-8 are refused") func invalidUTF8() {
        #expect(throws: JSONError(.badString, offset: 0)) {
            try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22], limit: 10)
        }
    }

    @Test("The depth and the length of a document are bounded") func bounds() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try parse(deep) }
        #expect(throws: JSONError(.tooDeep, offset: 64)) { try parse("[" + deep + "]") }
        #expect(throws: JSONError(.tooDeep, offset: 64)) { try parse(String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONError(.tooLong, offset: 3)) { try JSONValue(parsing: Array("1234".utf8), limit: 3) }
    }

    @Test("No truncated document is accepted as whole") func truncation() throws {
        let document: JSONValue = ["files": ["a\u{1}b"], "seconds": 1.5, "at": .null, "n": -12, "ok": true]
        let bytes = document.encoded()
        for count in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(bytes[..<count]), limit: 1000) }
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes + [0], limit: 1000) }
    }

    @Test("Mutated documents never trap") func mutatedDocuments() {
        var random = JSONRandom(seed: 99)
        let document: [UInt8] = (["a": [1, 2.5, "x\u{1}\u{1F600}"], "b": ["c": .null, "d": false]] as JSONValue)
            .encoded(.pretty)
        for _ in 0..<20_000 {
            var bytes = document
            for _ in 0...random.below(4) {
                let index = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[index] = UInt8(random.below(256))
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("{}[]\",:\\u-.e0".utf8)[random.below(13)], at: index)
                }
            }
            if let value = try? JSONValue(parsing: bytes, limit: 10_000) {
                #expect((try? parse(value.text())) == value)
            }
        }
    }

    @Test("Members are found, replaced and removed by name") func members() {
        var object = JSONObject()
        object["a"] = 1
        object["b"] = "two"
        object["a"] = 3
        #expect(JSONValue.object(object).text() == #"{"a":3,"b":"two"}"#)
        #expect(JSONValue.object(object)["b"]?.stringValue == "two")
        object["a"] = nil as JSONValue?
        #expect(JSONValue.object(object).text() == #"{"b":"two"}"#)
    }

    private func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limit: 1 << 20)
    }
}

/// Random documents from a seed.
private struct JSONRandom {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 4 ? 5 : 7) {
        case 0: return .null
        case 1: return .bool(below(2) == 1)
        case 2: return .integer(Int64(bitPattern: random.next()) >> below(64))
        case 3:
            let double = Double(bitPattern: random.next())
            return double.isFinite ? .number(double) : .number(0.5)
        case 4: return .string(text())
        case 5: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
        default:
            var object = JSONObject()
            for index in 0..<below(5) { object["\(index)\(text())"] = value(depth: depth + 1) }
            return .object(object)
        }
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<below(12) {
            text.unicodeScalars.append(Unicode.Scalar(UInt32(below(below(4) == 0 ? 0x11_0000 : 0x250))) ?? "?")
        }
        return text
    }
}
