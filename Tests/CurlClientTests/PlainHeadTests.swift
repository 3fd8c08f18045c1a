// SPDX-License-Identifier: MIT

import Testing

@testable import CurlClient

/// How a plain response is split into the lines of its head and its body.
struct PlainHeadTests {
    /// What the pieces of a response lead to: the lines, the last step, and the beginning of the body.
    private static func split(_ pieces: [[UInt8]]) -> (lines: [String], last: PlainHead.Step, rest: [UInt8]) {
        var head = PlainHead()
        var lines: [String] = []
        var last = PlainHead.Step.incomplete
        for piece in pieces {
            piece.withUnsafeBytes { head.append($0) }
            while true {
                last = head.next()
                guard case .line(let line) = last else { break }
                lines.append(String(decoding: line, as: UTF8.self))
                if lines.count > 64 { return (lines, last, head.rest) }
            }
            guard last == .incomplete else { break }
        }
        return (lines, last, head.rest)
    }

    @Test("A27: The pieces in which a response comes make no difference") func pieces() {
        for text in ["\r\n ICY  200 OK\r\na: b\nno colon\r\n", "http/1.0 200\n\n", "HTTP", "I", "ht"] {
            let whole = Self.split([Array(text.utf8)])
            let single = Self.split(text.utf8.map { [$0] })
            #expect(whole.lines == single.lines && whole.last == single.last && whole.rest == single.rest)
            #expect(whole.last == .incomplete)
        }
        for (text, step) in [("ID3\u{4}", PlainHead.Step.missing), ("\u{15}\u{3}x", .secured), ("\u{15}x", .missing)] {
            #expect(Self.split(text.utf8.map { [$0] }).last == step)
        }
    }

    @Test("A27: Random bytes are never kept without limit") func random() {
        var random: UInt64 = 27
        for _ in 0..<300 {
            var (collector, head) = (HeadCollector(), PlainHead())
            var bytes = Array("icy 200\r\n".utf8)
            var isOver = false
            while !isOver {
                for _ in 0..<1024 {
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes.append(UInt8(truncatingIfNeeded: random >> 33))
                }
                bytes.withUnsafeBytes { head.append($0) }
                bytes = []
                while !isOver, case .line(let line) = head.next() { isOver = Self.ends(&collector, line) }
                #expect(isOver || head.rest.count <= HeadCollector.byteLimit)
            }
        }
    }

    /// Whether the head ends with the line, or is refused.
    private static func ends(_ collector: inout HeadCollector, _ line: [UInt8]) -> Bool {
        let event = line.withUnsafeBytes { try? collector.take($0) }
        return switch event {
        case .some(.none): false
        default: true
        }
    }
}
