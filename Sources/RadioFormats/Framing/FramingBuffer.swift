// SPDX-License-Identifier: MIT

/// The bytes that a framer was given and has not passed yet, contiguous.
///
/// Bytes that were passed stay where they are until the next ``append(_:)``, so that frames can still be read.
struct FramingBuffer {
    private var storage: [UInt8] = []
    /// Index of the first byte that was not passed yet.
    private(set) var start = 0
    /// Offset of that byte in everything that was ever appended.
    private(set) var offset: Int64 = 0

    /// Bytes that were not passed yet.
    var count: Int { storage.count - start }

    /// Copies bytes to the end, after the passed ones have been thrown away.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == storage.count {
            storage.removeAll(keepingCapacity: true)
            start = 0
        } else if start >= storage.count / 2 {
            // Not before half has been passed: the rest would be moved again and again.
            storage.removeSubrange(..<start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// Passes over bytes, at most ``count``; returns where they lie until the next `append`.
    @discardableResult
    mutating func pass(_ length: Int) -> Range<Int> {
        let range = start..<start + length
        start += length
        offset += Int64(length)
        return range
    }

    /// The bytes that were not passed yet.
    func withUnread<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Bytes at a range that ``pass(_:)`` returned since the last `append`.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
