// SPDX-License-Identifier: MIT

import RadioCore

/// Holds the PCM of one frame from a decoder in this process until the PCM is taken. Its memory is allocated once.
final class PCMRoom {
    private let values: UnsafeMutableBufferPointer<Float>
    private var block: PCMBlock?
    /// Whether no frame follows the one in the room.
    var isLast = false

    /// Makes room for this many values: samples times channels.
    init(values count: Int) {
        values = .allocate(capacity: max(1, count))
        values.initialize(repeating: 0)
    }

    deinit { values.deallocate() }

    var isEmpty: Bool { block == nil }
    /// The number of values for which there is room.
    var count: Int { values.count }
    /// The address at which a decoder may write while the room is empty.
    var start: UnsafeMutablePointer<Float> {
        // An allocation of at least one value has an address.
        values.baseAddress.unsafelyUnwrapped
    }

    /// Holds the values that were written to `range`; an empty range makes no block.
    func hold(_ format: PCMFormat, values range: Range<Int>, instant: Int64) {
        let range = range.clamped(to: 0..<values.count)
        block =
            range.isEmpty
            ? nil
            : PCMBlock(format: format, values: UnsafeBufferPointer(rebasing: values[range]), instant: instant)
    }

    /// Takes out the block; nil if there is none.
    func take() -> PCMBlock? {
        defer { block = nil }
        return block
    }

    func clear() { block = nil }
}
