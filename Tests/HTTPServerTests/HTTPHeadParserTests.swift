// SPDX-License-Identifier: MIT

import HTTPServer
import RadioCore
import Testing

@Suite struct HTTPHeadParserTests {
    private static let good = """
        GET /live?burst=2 HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent:  Radio/1.0 \r\nICY-MetaData: 1\r\n\r\n
        """

    @Test("The request of a player is parsed") func playerRequest() throws {
        let head = try parse(Self.good)
        #expect(head.method == .get && head.target == HTTPTarget(path: "/live", query: "burst=2"))
        #expect(head.minorVersion == 1 && head["icy-metadata"] == "1")
        #expect(head["user-agent"] == "Radio/1.0" && head.target.queryValue("burst") == "2")
    }

    @Test("A head parses the same for every split") func everySplit() throws {
        let bytes = Array(Self.good.utf8)
        let whole = try parse(Self.good)
        #expect(try parse(bytes, pieces: Array(repeating: 1, count: bytes.count)) == whole)
        for cut in 1..<bytes.count { #expect(try parse(bytes, pieces: [cut, bytes.count - cut]) == whole) }
    }

    @Test("The end of the head is found, whatever follows it") func endOfHead() throws {
        for body in ["", "x", "GET / HTTP/1.1\r\n\r\n"] {
            var parser = HTTPHeadParser()
            let bytes = Array((Self.good + body).utf8)
            guard case .head(_, let consumed) = try bytes.withUnsafeBytes({ try parser.read($0) }) else {
                Issue.record("no head")
                continue
            }
            #expect(consumed == Self.good.utf8.count)
        }
    }

    @Test("A truncated head waits for the rest") func truncatedHead() throws {
        let bytes = Array(Self.good.utf8)
        for count in 0..<bytes.count {
            var parser = HTTPHeadParser()
            #expect(try bytes[..<count].withUnsafeBytes { try parser.read($0) } == .more)
        }
    }

    @Test(
        "Unusual but valid heads are accepted",
        arguments: [
            "GET / HTTP/1.0\n\n",
            "\r\nGET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.0\r\nX:\r\n\r\n",
            "GET /a%20b HTTP/1.0\r\n\r\n",
            "GET /..mp3 HTTP/1.0\r\n\r\n",
            "GET http://radio.example:8000/live HTTP/1.1\r\nHost: Radio.Example:8000\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 00\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: [::1]:8000\r\n\r\n",
        ])
    func unusualHeads(_ text: String) throws {
        _ = try parse(text)
    }

    @Test(
        "Hostile heads are refused with the right status",
        arguments: [
            ("GET /\r\n\r\n", 400),
            ("GET / HTTP/0.9\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}", 400),
            ("\r\n\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n", 400),
            ("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a%2fb HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a%2Fb HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a%5cb HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /%0d%0aX HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /%4 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /%+1 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a/../b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /%2e%2e HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET live HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET http://x@y/ HTTP/1.1\r\nHost: y\r\n\r\n", 400),
            ("GET http:/// HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
            ("TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
            ("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 405),
            ("SOURCE /live HTTP/1.0\r\n\r\n", 501),
            ("get / HTTP/1.0\r\n\r\n", 501),
            ("(): / HTTP/1.0\r\n\r\n", 400),
        ])
    func hostileHeads(_ text: String, _ status: Int) {
        #expect(throws: HTTPRequestError.self) { try parse(text) }
        #expect(refusal(of: Array(text.utf8))?.status.rawValue == status)
    }

    @Test(
        "Deviations that harm pages alone are noted, and the connection is not kept",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nbro ken: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
            "GET http://other/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET http://x/ HTTP/1.1\r\nHost: x:8000\r\n\r\n",
        ])
    func tolerableHeads(_ text: String) throws {
        let head = try parse(text)
        #expect(head.fault?.status == .badRequest && !head.isStrict)
        #expect(head.fields.filter { $0.name == "host" }.allSatisfy { $0.value == "x" || $0.value == "x:8000" })
    }

    @Test(
        "A query may hold whatever follows the question mark of a link",
        arguments: [
            ("ref=http%3A%2F%2Fx", "ref", "http://x"), ("q=100%", "q", "100%"), ("q=%zz%4", "q", "%zz%4"),
            ("q=é&z=ü", "z", "ü"), ("q=a#b\\c", "q", "a#b\\c"), ("q=%ff", "q", "\u{FFFD}"), ("q=a%00b", "q", ""),
        ])
    func queries(_ query: String, _ name: String, _ value: String) throws {
        let head = try parse("GET /live?\(query) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(head.target.path == "/live" && head.fault == nil && head.isStrict)
        #expect(head.target.queryValue(name) == value)
    }

    @Test("A path may be raw UTF-8")
    func rawPath() throws {
        #expect(try parse("GET /café HTTP/1.0\r\n\r\n").target.path == "/café")
    }

    @Test("The request line is limited to the byte") func longRequestLine() throws {
        let rest = "GET  HTTP/1.0".utf8.count
        _ = try parse("GET /\(String(repeating: "a", count: 4096 - rest - 1)) HTTP/1.0\r\n\r\n")
        let long = "GET /\(String(repeating: "a", count: 4096 - rest)) HTTP/1.0\r\n\r\n"
        #expect(refusal(of: Array(long.utf8))?.status == .uriTooLong)
    }

    @Test("An endless request line is refused before it ends") func endlessRequestLine() {
        #expect(refusal(of: Array(repeating: UInt8(ascii: "a"), count: 4200))?.status == .uriTooLong)
    }

    @Test("The number of fields is limited") func numberOfFields() throws {
        let fields = { (count: Int) in (0..<count).map { "X-\($0): y\r\n" }.joined() }
        _ = try parse("GET / HTTP/1.0\r\n\(fields(64))\r\n")
        #expect(refusal(of: Array("GET / HTTP/1.0\r\n\(fields(65))\r\n".utf8))?.status == .headerFieldsTooLarge)
    }

    @Test("The head is limited to the byte") func longHead() throws {
        let frame = "GET / HTTP/1.0\r\nX: \r\n\r\n".utf8.count
        let filled = { (count: Int) in "GET / HTTP/1.0\r\nX: \(String(repeating: "a", count: count - frame))\r\n\r\n" }
        _ = try parse(filled(16 * 1024))
        #expect(refusal(of: Array(filled(16 * 1024 + 1).utf8))?.status == .headerFieldsTooLarge)
    }

    @Test("An endless header is refused") func endlessHeader() {
        let bytes = Array("GET / HTTP/1.0\r\n".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        #expect(refusal(of: bytes)?.status == .headerFieldsTooLarge)
    }

    @Test("Mutated heads do not trap, and parse the same for every split") func mutations() {
        var random = SplitMix64(seed: 20)
        let seeds = [
            Self.good, "POST /a%20b?c=%41 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            "GET http://[::1]:80/x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
        ].map { Array($0.utf8) }
        for round in 0..<3000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...Int(random.next() % 4) { mutate(&bytes, &random) }
            let whole = outcome(bytes, pieces: [bytes.count])
            let single = outcome(bytes, pieces: Array(repeating: 1, count: bytes.count))
            #expect(whole == single, "round \(round)")
        }
    }

    @Test("Values of the query are found and decoded") func queryValues() throws {
        let target = try HTTPTarget(parsing: Array("/x?a=1&bb=%c3%a4%20b&c&a=2&d=".utf8))
        #expect(target.queryValue("a") == "1")
        #expect(target.queryValue("bb") == "ä b")
        #expect(target.queryValue("c") == "")
        #expect(target.queryValue("d") == "")
        #expect(target.queryValue("b") == nil)
    }
}

private func parse(_ text: String) throws -> HTTPRequestHead {
    let bytes = Array(text.utf8)
    return try parse(bytes, pieces: [bytes.count])
}

private struct Unfinished: Error {}

/// Feeds `bytes` in pieces of the given sizes.
private func parse(_ bytes: [UInt8], pieces: [Int]) throws -> HTTPRequestHead {
    var parser = HTTPHeadParser()
    var start = 0
    for size in pieces {
        let piece = bytes[start..<min(bytes.count, start + size)]
        start += size
        if case .head(let head, _) = try piece.withUnsafeBytes({ try parser.read($0) }) { return head }
    }
    throw Unfinished()
}

private func refusal(of bytes: [UInt8]) -> HTTPRequestError? {
    do {
        _ = try parse(bytes, pieces: [bytes.count])
        return nil
    } catch {
        return error as? HTTPRequestError
    }
}

private enum Outcome: Equatable {
    case head(HTTPRequestHead)
    case refused(HTTPRequestError)
    case unfinished
}

private func outcome(_ bytes: [UInt8], pieces: [Int]) -> Outcome {
    do {
        return .head(try parse(bytes, pieces: pieces))
    } catch let error as HTTPRequestError {
        return .refused(error)
    } catch {
        return .unfinished
    }
}

private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let place = Int(random.next() % UInt64(bytes.count))
    switch random.next() % 4 {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(contentsOf: Array("\r\n: %../".utf8).shuffled(using: &random).prefix(2), at: place)
    default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
    }
}
