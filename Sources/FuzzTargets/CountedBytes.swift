// SPDX-License-Identifier: MIT

import RadioFormats

/// Bytes that count how often they are read: a machine-independent measure of a parser's cost.
package struct CountedBytes: IndexedBytes {
    private final class Counter {
        var reads = 0
    }

    private let bytes: [UInt8]
    private let counter = Counter()

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of reads of all bytes.
    package var reads: Int { counter.reads }

    package var startIndex: Int { 0 }
    package var endIndex: Int { bytes.count }
    package subscript(place: Int) -> UInt8 {
        counter.reads += 1
        return bytes[place]
    }

    /// The cost of `read` in reads per byte, with short inputs counted as 64 bytes.
    package static func cost(of bytes: [UInt8], _ read: (CountedBytes) -> Void) -> Double {
        let counted = CountedBytes(bytes)
        read(counted)
        return Double(counted.reads) / Double(Swift.max(64, bytes.count))
    }
}
