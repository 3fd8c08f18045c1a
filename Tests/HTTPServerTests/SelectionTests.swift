// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import HTTPServer

/// The selection of an answer by conditions and ranges, without a server.
@Suite struct SelectionTests {
    private static let modified = WallInstant(nanoseconds: 784_111_777_500_000_000)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sunday, 06-Nov-94 08:49:36 GMT"
    private static let after = "Sun Nov  6 08:49:38 1994"

    private static func select(
        _ fields: [(String, String)], method: HTTPMethod = .get, length: Int = 1000,
        tag: HTTPEntityTag? = HTTPEntityTag("a"), modified: WallInstant? = modified
    ) -> HTTPSelection {
        let head = HTTPRequestHead(
            method: method, target: HTTPTarget(path: "/"), fields: fields.map { HTTPField($0.0, $0.1) })
        return HTTPSelection.of(length, tag, modified: modified, for: head)
    }

    @Test(
        "F20: A satisfiable range is served up to the end of the content, and no further",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=0-", .part(0..<1000)), ("bytes=500-", .part(500..<1000)),
            ("bytes=999-5000", .part(999..<1000)), ("bytes=-1", .part(999..<1000)), ("bytes=-5000", .part(0..<1000)),
            ("Bytes= 5 - 6 ", .part(5..<7)), ("bytes=5-9223372036854775807", .part(5..<1000)),
            ("bytes=5-99999999999999999999999", .part(5..<1000)), ("bytes=-99999999999999999999", .part(0..<1000)),
            ("bytes=1000-", .unsatisfiable), ("bytes=1000-2000", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=6-5", .unsatisfiable),
            ("bytes=a-b", .unsatisfiable), ("bytes=--1", .unsatisfiable), ("bytes=1", .unsatisfiable),
            ("bytes=+1-2", .unsatisfiable), ("bytes=1-2-3", .unsatisfiable), ("bytes=-", .unsatisfiable),
            ("bytes=0-1,", .unsatisfiable), ("bytes=5000-,6000-", .unsatisfiable), ("bytes=- 1", .unsatisfiable),
            ("bytes=5000-,1-2", .part(1..<3)), ("bytes=0-1,1-2", .whole), ("bytes=0-,0-,0-,0-", .whole),
            ("items=0-1", .whole), ("bytes=", .whole), ("", .whole), ("bytes", .whole),
        ] as [(String, HTTPSelection)])
    func ranges(_ field: String, _ selection: HTTPSelection) {
        #expect(Self.select([("range", field)]) == selection)
        // Ranges apply to GET only.
        #expect(Self.select([("range", field)], method: .head) == .whole)
    }

    @Test("A range of empty content is the whole or unsatisfiable") func emptyContent() {
        #expect(Self.select([("range", "bytes=0-")], length: 0) == .whole)
        #expect(Self.select([("range", "bytes=-5")], length: 0) == .whole)
        #expect(Self.select([("range", "bytes=5-")], length: 0) == .unsatisfiable)
    }

    @Test("F20: A head full of ranges is answered with the whole content")
    func manyRanges() {
        let field = "bytes=" + (0..<3000).map { "\($0)-" }.joined(separator: ",")
        #expect(Self.select([("range", field)], length: 1 << 40) == .whole)
    }

    @Test(
        "Conditions are evaluated in the order of the RFC, and malformed ones are ignored",
        arguments: [
            ([("if-none-match", "\"a\"")], .notModified), ([("if-none-match", "W/\"a\"")], .notModified),
            ([("if-none-match", "\"b\", \"x,y\" ,W/\"a\"")], .notModified), ([("if-none-match", "*")], .notModified),
            ([("if-none-match", "\"b\""), ("if-none-match", "\"a\"")], .notModified),
            ([("if-none-match", "\"b\"")], .whole), ([("if-none-match", "a")], .whole),
            ([("if-none-match", "\"a")], .whole), ([("if-none-match", "\"a\"b")], .whole),
            ([("if-none-match", "")], .whole), ([("if-none-match", "w/\"a\"")], .whole),
            ([("if-modified-since", date)], .notModified), ([("if-modified-since", after)], .notModified),
            ([("if-modified-since", before)], .whole), ([("if-modified-since", "yesterday")], .whole),
            ([("if-none-match", "\"b\""), ("if-modified-since", date)], .whole),
            ([("if-none-match", "\"a\""), ("if-modified-since", before)], .notModified),
            ([("if-match", "\"a\"")], .whole), ([("if-match", "*")], .whole),
            ([("if-match", "W/\"a\"")], .preconditionFailed), ([("if-match", "\"b\"")], .preconditionFailed),
            ([("if-match", "\"b\"\"a\"")], .preconditionFailed),
            ([("if-unmodified-since", date)], .whole), ([("if-unmodified-since", before)], .preconditionFailed),
            ([("if-unmodified-since", "yesterday")], .whole),
            ([("if-match", "\"a\""), ("if-unmodified-since", before)], .whole),
            ([("if-match", "\"a\""), ("if-none-match", "\"a\"")], .notModified),
            ([("if-match", "\"b\""), ("range", "bytes=0-1")], .preconditionFailed),
            ([("if-none-match", "\"a\""), ("range", "bytes=0-1")], .notModified),
            ([("if-range", "\"a\""), ("range", "bytes=0-1")], .part(0..<2)),
            ([("if-range", "\"a\""), ("range", "bytes=5000-")], .unsatisfiable),
            ([("if-range", "W/\"a\""), ("range", "bytes=0-1")], .whole),
            ([("if-range", "\"a\",\"b\""), ("range", "bytes=0-1")], .whole),
            ([("if-range", "\"b\""), ("range", "bytes=5000-")], .whole),
            ([("if-range", date), ("range", "bytes=0-1")], .part(0..<2)),
            ([("if-range", after), ("range", "bytes=0-1")], .whole),
            ([("if-range", "x"), ("range", "bytes=0-1")], .whole),
        ] as [([(String, String)], HTTPSelection)])
    func conditions(_ fields: [(String, String)], _ selection: HTTPSelection) {
        #expect(Self.select(fields) == selection)
        let isRange = fields.contains { $0.0 == "range" }
        if !isRange { #expect(Self.select(fields, method: .head) == selection) }
    }

    @Test("A weak tag does not identify bytes") func weakTag() {
        let weak = HTTPEntityTag("a", isWeak: true)
        #expect(weak.description == "W/\"a\"")
        #expect(Self.select([("if-match", "W/\"a\"")], tag: weak) == .preconditionFailed)
        #expect(Self.select([("if-none-match", "\"a\"")], tag: weak) == .notModified)
        #expect(Self.select([("if-range", "W/\"a\""), ("range", "bytes=0-1")], tag: weak) == .whole)
        #expect(HTTPEntityTag("a\"\r\n b").description == "\"ab\"")
    }

    @Test("Without a tag and a date, conditions that name them fail") func withoutValidators() {
        let none = { (fields: [(String, String)]) in Self.select(fields, tag: nil, modified: nil) }
        #expect(none([("if-match", "\"a\"")]) == .preconditionFailed)
        #expect(none([("if-none-match", "\"a\"")]) == .whole)
        #expect(none([("if-modified-since", Self.date)]) == .whole)
        #expect(none([("if-unmodified-since", Self.before)]) == .whole)
        #expect(none([("if-range", Self.date), ("range", "bytes=0-1")]) == .whole)
    }

    @Test("A changing request is answered with a failed precondition in place of not modified") func changingMethods() {
        #expect(Self.select([("if-none-match", "*")], method: .put) == .preconditionFailed)
        #expect(Self.select([("if-modified-since", Self.date)], method: .put) == .whole)
    }

    @Test("The response of a representation has the fields of its selection") func responses() {
        let representation = HTTPRepresentation(
            .bytes(Array("0123456789".utf8)), fields: [HTTPField("Content-Type", "text/plain")],
            entityTag: HTTPEntityTag("a"), modified: Self.modified)
        func answer(_ fields: [HTTPField]) -> (HTTPStatus, [String]) {
            let response = representation.response(
                to: HTTPRequestHead(method: .get, target: HTTPTarget(path: "/"), fields: fields))
            return (response.status, response.fields.map { "\($0.name): \($0.value)" })
        }
        let validators = ["ETag: \"a\"", "Last-Modified: \(Self.date)"]
        #expect(answer([]) == (.ok, ["Content-Type: text/plain"] + validators + ["Accept-Ranges: bytes"]))
        #expect(
            answer([HTTPField("range", "bytes=2-3")])
                == (.partialContent, ["Content-Type: text/plain"] + validators + ["Content-Range: bytes 2-3/10"]))
        #expect(answer([HTTPField("if-none-match", "*")]) == (.notModified, validators))
        #expect(answer([HTTPField("range", "bytes=10-")]).1.first == "Content-Range: bytes */10")
        #expect(answer([HTTPField("if-match", "\"b\"")]).0 == .preconditionFailed)
    }
}
