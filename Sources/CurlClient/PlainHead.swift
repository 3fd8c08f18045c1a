// SPDX-License-Identifier: MIT

/// Splits the beginning of a plain response (see ``PlainRequest``) into the lines of its head and its body. No I/O.
///
/// A line that is longer than a head may be is rejected by ``HeadCollector``.
struct PlainHead {
    enum Step: Equatable {
        /// A line of the head, with its line end.
        case line([UInt8])
        /// More bytes are needed.
        case incomplete
        /// There is no head: the response begins with its body.
        case missing
        /// The server speaks TLS.
        case secured
    }

    /// The bytes that are not part of a returned line. After the head, they are the beginning of the body.
    private(set) var rest: [UInt8] = []
    private var isBegun = false

    mutating func append(_ bytes: UnsafeRawBufferPointer) { rest += bytes }

    mutating func next() -> Step {
        if !isBegun {
            rest.removeFirst(rest.prefix { Self.blanks.contains($0) }.count)
            if let first = begin { return first }
        }
        isBegun = true
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            // The limit of bytes makes the collector refuse the line.
            return rest.count > HeadCollector.byteLimit ? .line(rest) : .incomplete
        }
        let line = Array(rest[...end])
        rest.removeFirst(line.count)
        return .line(line)
    }

    /// What the first bytes show; nil if a status line begins.
    private var begin: Step? {
        // The first byte of a TLS record is its type (RFC 8446, section 5.1), and the second the version, always 3.
        if let type = rest.first, (0x14...0x17).contains(type) {
            guard rest.count > 1 else { return .incomplete }
            return rest[1] == 3 ? .secured : .missing
        }
        for word in ["http", "icy"] {
            let start = rest.prefix(word.utf8.count).map { $0 | 0x20 }
            if start.elementsEqual(word.utf8) { return nil }
            if word.utf8.starts(with: start) { return .incomplete }
        }
        return .missing
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}
