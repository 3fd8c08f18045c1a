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

/// Reads bytes that stay in memory for as long as the program runs, such as the demo's programme.
final class StaticBytesReader: MediaReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard !rest.isEmpty else { return false }
        take(UnsafeRawBufferPointer(rebasing: rest.prefix(limit)))
        rest = rest.dropFirst(limit)
        return true
    }
}

/// Reads the bytes of an array.
final class ArrayReader: MediaReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard !rest.isEmpty else { return false }
        rest.prefix(limit).withUnsafeBytes(take)
        rest = rest.dropFirst(limit)
        return true
    }
}
