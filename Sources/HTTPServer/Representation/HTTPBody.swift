// SPDX-License-Identifier: MIT

/// The body of a response.
package enum HTTPBody: Sendable {
    case bytes([UInt8])
    /// Parts of files, one after the other, which the kernel sends by itself.
    case files([HTTPFilePart])

    /// The length in bytes.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .files(let parts): parts.reduce(0) { $0 + $1.range.count }
        }
    }

    /// A part of the body; `range` must lie within it.
    package func part(_ range: Range<Int>) -> HTTPBody {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .files(let parts): .files(Self.part(range, of: parts))
        }
    }

    private static func part(_ range: Range<Int>, of parts: [HTTPFilePart]) -> [HTTPFilePart] {
        var (start, found) = (0, [HTTPFilePart]())
        for part in parts {
            let common = range.clamped(to: start..<(start + part.range.count))
            let offset = part.range.lowerBound - start
            if !common.isEmpty {
                found.append(
                    HTTPFilePart(part.file, (common.lowerBound + offset)..<(common.upperBound + offset)))
            }
            start += part.range.count
        }
        return found
    }
}

/// Consecutive bytes of a file, which must lie within it.
package struct HTTPFilePart: Sendable {
    package let file: HTTPFile
    package internal(set) var range: Range<Int>

    package init(_ file: HTTPFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }
}
