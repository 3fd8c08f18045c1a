// SPDX-License-Identifier: MIT

import RadioCore

/// A ring buffer of the newest decoded audio of one format: samples to be written next, and written samples that may
/// have to be written again. Samples are numbered from zero. Confined to the sound thread.
///
/// Samples that the server has not played are still here, so a pause, a jump or a lost sound server loses none of them.
final class PCMHistory {
    let format: PCMFormat
    /// The number of the oldest sample kept.
    private(set) var start: Int64 = 0
    /// The number of the next sample appended.
    private(set) var end: Int64 = 0

    private let memory: UnsafeMutableBufferPointer<Float>
    /// The size of the ring in samples.
    let capacity: Int

    private static let length = Duration.milliseconds(2_500)
    private static let mostBytes = 2 << 20

    init(_ format: PCMFormat) {
        self.format = format
        capacity = max(4_096, min(format.samples(in: Self.length), Self.mostBytes / format.bytesPerSample))
        memory = .allocate(capacity: capacity * format.channels)
    }

    deinit { memory.deallocate() }

    /// Appends whole samples. Once the ring is full, they overwrite the oldest samples.
    func append(_ values: UnsafeBufferPointer<Float>) {
        var values = values
        if values.count > memory.count {
            end += Int64((values.count - memory.count) / format.channels)
            values = UnsafeBufferPointer(rebasing: values.suffix(memory.count))
        }
        let offset = place(of: end)
        let first = min(values.count, memory.count - offset)
        _ = memory[offset..<(offset + first)].update(fromContentsOf: values[..<first])
        if first < values.count {
            _ = memory[..<(values.count - first)].update(fromContentsOf: values[first...])
        }
        end += Int64(values.count / format.channels)
        start = max(start, end - Int64(capacity))
    }

    /// Forgets the samples from `number` on: the next sample appended gets this number.
    func truncate(to number: Int64) {
        end = max(start, min(end, number))
    }

    /// Calls `body` with each contiguous piece of a range of samples. A piece is valid only during its call.
    func forEachPiece(_ range: Range<Int64>, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        let range = range.clamped(to: start..<end)
        var next = range.lowerBound
        while next < range.upperBound {
            let offset = place(of: next)
            let count = min(Int(range.upperBound - next) * format.channels, memory.count - offset)
            body(UnsafeBufferPointer(rebasing: memory[offset..<(offset + count)]))
            next += Int64(count / format.channels)
        }
    }

    private func place(of number: Int64) -> Int { Int(number % Int64(capacity)) * format.channels }
}
