// SPDX-License-Identifier: MIT

/// The bytes that a framer has received and not passed yet, contiguous.
///
/// Passed bytes stay where they are until the next ``append(_:)`` or ``compact()``, so that frames can still be read.
struct FramingBuffer {
    private var storage: [UInt8] = []
    /// The index of the first byte not passed yet.
    private(set) var start = 0
    /// The offset of the first byte not passed yet in everything that was ever appended.
    private(set) var offset: Int64 = 0

    /// The number of bytes not passed yet.
    var count: Int { storage.count - start }

    /// Appends a copy of `bytes`; may first discard the passed bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if isMostlyPassed {
            storage.removeSubrange(..<start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// Gives back the memory of the passed bytes.
    mutating func compact() {
        guard start > 0, isMostlyPassed else { return }
        storage = Array(storage[start...])
        start = 0
    }

    /// Whether at least half of the stored bytes have been passed. Discarding them earlier would move the other bytes
    /// again and again.
    private var isMostlyPassed: Bool { start >= storage.count / 2 }

    /// Passes `length` bytes, at most ``count``; returns their range, which is valid until the next `append` or
    /// `compact`.
    @discardableResult
    mutating func pass(_ length: Int) -> Range<Int> {
        let range = start..<start + length
        start += length
        offset += Int64(length)
        return range
    }

    /// Calls `body` with the bytes not passed yet.
    func withUnread<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Calls `body` with the bytes at a range that ``pass(_:)`` returned since the last `append` or `compact`.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
