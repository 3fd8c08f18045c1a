// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport

/// A random request.
struct DrawnRequest {
    struct File {
        let name: String
        let size: Int
        /// The time of the last change, in seconds.
        let modified: Int
    }

    var method = "GET"
    var path: String
    var minorVersion = 1
    var lineEnd = "\r\n"
    var fields: [(name: String, value: String)] = []

    /// The placeholder for the tag that the server gives to the file.
    static let tag = "{tag}"

    func text(tag: String) -> String {
        let lines = ["\(method) \(path) HTTP/1.\(minorVersion)", "Host: localhost"]
        let rest = fields.map { field in
            let parts = field.value.split(separator: Self.tag, omittingEmptySubsequences: false)
            return "\(field.name): \(parts.joined(separator: tag))"
        }
        return (lines + rest + ["", ""]).joined(separator: lineEnd)
    }

    func has(_ name: String) -> Bool { fields.contains { $0.name == name } }
    func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    mutating func remove(_ name: String) { fields.removeAll { $0.name == name } }
}

/// Draws requests for files. Most of them are sensible, and some are wrong in one of many ways.
struct RequestDraw {
    private var random: SplitMix64
    private let files: [DrawnRequest.File]

    init(seed: UInt64, files: [DrawnRequest.File]) {
        random = SplitMix64(seed: seed)
        self.files = files
    }

    /// The requests of one connection.
    mutating func conversation() -> [(DrawnRequest, DrawnRequest.File)] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in request() }
    }

    private mutating func request() -> (DrawnRequest, DrawnRequest.File) {
        let file = one(of: files)
        var request = DrawnRequest(path: "/" + file.name)
        if chance(25) { request.method = one(of: ["HEAD", "HEAD", "HEAD", "POST", "PUT", "DELETE"]) }
        if chance(20) { request.minorVersion = 0 }
        if chance(6) { request.path = one(of: ["/missing", "/sub/../\(file.name)", "//\(file.name)", "/a/%2e%2e/b"]) }
        if chance(5) { request.path += "?a=b&c" }
        if chance(3) { request.lineEnd = "\n" }
        if chance(35) {
            let options = ["keep-alive", "keep-alive", "Keep-Alive", "close", "Close", "TE"]
            request.fields.append(("Connection", one(of: options)))
        }
        if chance(55) {
            request.fields.append(("Range", range(file)))
            if chance(30) { request.fields.append(("If-Range", chance(50) ? tags() : date(file))) }
        }
        if chance(18) { request.fields.append(("If-None-Match", tags())) }
        if chance(18) { request.fields.append(("If-Modified-Since", date(file))) }
        if chance(10) { request.fields.append(("If-Match", tags())) }
        if chance(10) { request.fields.append(("If-Unmodified-Since", date(file))) }
        return (request, file)
    }

    private mutating func range(_ file: DrawnRequest.File) -> String {
        let (start, size) = (number(file), file.size)
        let broken = [
            "bytes=", "bytes", "items=0-5", "bytes=a-b", "bytes=-", "bytes=5-3", "bytes=--5", "bytes=1-2-3",
            "bytes=0-0,", "bytes=,0-0", "0-5", "bytes 0-5", "bytes=+1-2", "bytes=1 2-3", "bytes=- 5",
        ]
        let large = ["9223372036854775807", "18446744073709551616", "99999999999999999999999999"]
        return switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: "bytes=\(start)-\(start + number(file))"
        case 5..<7: "bytes=\(start)-"
        case 7..<9: "bytes=-\(number(file))"
        case 9: "bytes=\(size)-\(size + 5)"
        case 10: "BYTES= \(start) - \(start + 9) "
        case 11: "bytes=\(start)-\(start + 5),\(number(file))-, -3"
        case 12: "bytes=\(size + 7)-, \(start)-\(start + 1)"
        case 13: "bytes=\(start)-\(one(of: large))"
        case 14: "bytes=-\(one(of: large))"
        default: one(of: broken)
        }
    }

    /// A random position that is usually within the file, and sometimes just behind its end.
    private mutating func number(_ file: DrawnRequest.File) -> Int {
        chance(30) ? Int.random(in: 0...10, using: &random) : Int.random(in: 0...(file.size + 2), using: &random)
    }

    private mutating func tags() -> String {
        one(of: [
            DrawnRequest.tag, DrawnRequest.tag, DrawnRequest.tag, "\"other\"", "\"other\", \(DrawnRequest.tag)", "*",
            "W/\(DrawnRequest.tag)", "\"a,b\" ,W/\"c\",\t\(DrawnRequest.tag)", "other", "",
        ])
    }

    private mutating func date(_ file: DrawnRequest.File) -> String {
        guard chance(90) else { return one(of: ["yesterday", "0", "Sun, 99 Nov 1994 08:49:37 GMT"]) }
        let second = file.modified + one(of: [0, 0, 0, -1, 1, -86_400, 1_000_000_000])
        return CivilTime(WallInstant(nanoseconds: Int64(second) * 1_000_000_000), utcOffset: 0).httpDate
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func one<Item>(of items: [Item]) -> Item {
        items[Int.random(in: items.indices, using: &random)]
    }
}
