// SPDX-License-Identifier: MIT

import RadioCore

/// Where a decoder of this process puts the PCM of one frame until it is fetched. Allocated once.
final class PCMRoom {
    private let values: UnsafeMutableBufferPointer<Float>
    private var block: PCMBlock?

    /// Room for so many values: samples times channels.
    init(values count: Int) {
        values = .allocate(capacity: max(1, count))
        values.initialize(repeating: 0)
    }

    deinit { values.deallocate() }

    var isEmpty: Bool { block == nil }
    /// How many values it has room for.
    var count: Int { values.count }
    /// Where a decoder writes; only while it is empty.
    var start: UnsafeMutablePointer<Float> {
        // An allocation of at least one value has an address.
        values.baseAddress.unsafelyUnwrapped
    }

    /// Notes what has been written from a value on; nothing is no block.
    func hold(_ format: PCMFormat, values range: Range<Int>, instant: Int64) {
        let range = range.clamped(to: 0..<values.count)
        block =
            range.isEmpty
            ? nil
            : PCMBlock(format: format, values: UnsafeBufferPointer(rebasing: values[range]), instant: instant)
    }

    /// Takes out what is held.
    func take() -> PCMBlock? {
        defer { block = nil }
        return block
    }

    func clear() { block = nil }
}
