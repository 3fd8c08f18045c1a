// SPDX-License-Identifier: MIT

/// The bytes that a framer has received and not passed yet, contiguous.
///
/// Passed bytes stay where they are until the next ``append(_:)``, so that frames can still be read.
struct FramingBuffer {
    private var storage: [UInt8] = []
    /// The index of the first byte not passed yet.
    private(set) var start = 0
    /// The offset of that byte in everything that was ever appended.
    private(set) var offset: Int64 = 0

    /// The number of bytes not passed yet.
    var count: Int { storage.count - start }

    /// Appends a copy of `bytes`; may first discard the passed bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Not before half has been passed, or the rest would be moved again and again.
        if start >= storage.count / 2 { compact(room: bytes.count) }
        storage.append(contentsOf: bytes)
    }

    /// Discards the passed bytes, and makes room for this many more. Without room, the memory of the passed bytes is
    /// free for others.
    mutating func compact(room: Int = 0) {
        guard start > 0 else { return }
        let unread = storage[start...]
        var compacted: [UInt8] = []
        compacted.reserveCapacity(unread.count + room)
        compacted += unread
        storage = compacted
        start = 0
    }

    /// Passes `length` bytes, at most ``count``; returns their range, which is valid until the next `append`.
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

    /// Calls `body` with the bytes at a range that ``pass(_:)`` returned since the last `append`.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
