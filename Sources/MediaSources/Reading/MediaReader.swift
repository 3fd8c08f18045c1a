// SPDX-License-Identifier: MIT

import RadioCore

/// The bytes of one media item, from the first to the last. Confined to the thread of its ``Playout``.
protocol MediaReader: AnyObject {
    /// Passes the next bytes, at most `limit`, to `take`; they are valid during that call only. Returns false at the
    /// end. Blocks unless the bytes are in memory.
    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Bool
    /// The title in a tag at the item's end; nil if there is none, or if the end cannot be read first. May block.
    var lastTitle: String? { get }
}

extension MediaReader {
    var lastTitle: String? { nil }
}

/// Reads bytes in memory.
final class MemoryReader<Bytes: Collection<UInt8>>: MediaReader {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) {
        rest = bytes[...]
    }

    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard !rest.isEmpty else { return false }
        _ = rest.prefix(limit).withContiguousStorageIfAvailable { take(UnsafeRawBufferPointer($0)) }
        rest = rest.dropFirst(limit)
        return true
    }
}
