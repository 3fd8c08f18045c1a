// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore

/// Writes frames to a descriptor, usually standard output and often a pipe, on its own thread, because the reader may
/// stall. Data is written as soon as it arrives, because players want frames soon.
///
/// Each call to ``append(_:_:)`` is a unit: while the reader reads, the writer drops only whole units. A pipe accepts
/// up to ``atomicLength`` bytes wholly or not at all, so a reader that stops for good never gets part of such a unit.
/// It may get part of a longer unit, such as a page of Ogg FLAC.
///
/// Sendable; never blocks its caller. The queue is bounded only in bytes; the waiting time depends on the reader. Once
/// full, it accepts nothing until it has drained to the low-water mark, so that a slow reader of a live station misses
/// an occasional stretch instead of every other frame.
package final class DescriptorWriter: Sendable {
    /// A report of the writer; called on its thread.
    package enum Report: Hashable, Sendable {
        /// The queue was above the high-water mark and has fallen to the low-water mark.
        case drained
        /// The last report: everything has been written.
        case ended
        /// The last report: the reader has gone, and did not get `left`.
        case readerGone(left: FrameTotals)
        /// The last report: writing failed, and `left` has not been written.
        case failed(StorageError, left: FrameTotals)
    }

    /// PIPE_BUF of Linux (pipe(7)): a pipe may accept only part of a longer write.
    package static let atomicLength = 4_096

    private let queue = Mailbox(Queue())
    private let limits: WriterLimits

    private struct Queue {
        var items: [WriterItem] = []
        /// The number of unwritten bytes, including those being written.
        var bytes = 0
        /// The totals of the frames in the unwritten bytes.
        var waiting = FrameTotals()
        /// All bytes written so far.
        var written: Int64 = 0
        var isAboveHighWater = false
        /// Whether the queue has been full, and has not drained since.
        var isOverrun = false

        mutating func takeAll() -> [WriterItem]? {
            defer { items = [] }
            return items.isEmpty ? nil : items
        }

        /// Frees what waits. Returns the totals of the unwritten frames.
        mutating func end() -> FrameTotals {
            items = []
            return waiting
        }

        mutating func settle(_ item: WriterItem, _ limits: WriterLimits) -> Bool {
            bytes -= item.count
            waiting -= item.totals
            guard bytes <= limits.lowWater else { return false }
            isOverrun = false
            defer { isAboveHighWater = false }
            return isAboveHighWater
        }

        mutating func add(_ item: WriterItem, _ limits: WriterLimits) -> Appended {
            if bytes > 0, bytes + item.count > limits.clientBytes { isOverrun = true }
            guard !isOverrun else { return .refused }
            bytes += item.count
            waiting += item.totals
            if bytes >= limits.highWater { isAboveHighWater = true }
            items.append(item)
            return isAboveHighWater ? .aboveHighWater : .queued
        }
    }

    /// Starts the thread. The caller keeps the descriptor, which stays open. `name` is used in messages.
    package init(
        descriptor: CInt, name: String, limits: WriterLimits = WriterLimits(),
        report: @escaping @Sendable (Report) -> Void
    ) throws(StorageError) {
        self.limits = limits
        let queue = queue
        do throws(SystemError) {
            try WorkerThread.start(name: "output") { Self.run(queue, limits, descriptor, name, report) }
        } catch {
            throw StorageError(error, .create, "the thread that writes \(name)")
        }
    }

    /// Appends whole frames by reference.
    package func append(_ slice: SlabSlice, _ totals: FrameTotals) -> Appended {
        append(.slab(slice), totals)
    }

    /// Appends whole pages, which contain frames with these totals.
    package func append(_ bytes: [UInt8], _ totals: FrameTotals) -> Appended {
        append(.bytes(bytes), totals)
    }

    private func append(_ payload: WriterItem.Payload, _ totals: FrameTotals) -> Appended {
        let item = WriterItem(
            payload: payload, frames: Int(totals.frames), frameBytes: Int(totals.bytes), samples: totals.samples,
            arrival: .read())
        return queue.put { $0.add(item, limits) } ?? .refused
    }

    /// Ends the input: writes the queued data, then reports ``Report/ended``.
    package func finish() { queue.close() }

    /// Bytes that the reader has accepted so far, to see whether it makes progress.
    package var written: Int64 { queue.withContent { $0.written } }

    /// Stops after the present unit, and returns the totals of the unwritten frames. No report follows.
    package func abandon() -> FrameTotals { queue.abandon { $0.end() } ?? FrameTotals() }

    // MARK: The thread

    private static func run(
        _ queue: Mailbox<Queue>, _ limits: WriterLimits, _ descriptor: CInt, _ name: String,
        _ report: @Sendable (Report) -> Void
    ) {
        while let items = queue.take({ $0.takeAll() }) {
            for item in items {
                if let error = write(item, to: descriptor, queue) { return end(queue, error, name, report) }
                guard let isDrained = queue.take({ $0.settle(item, limits) }) else { return }
                if isDrained { report(.drained) }
            }
        }
        end(queue, nil, name, report)
    }

    /// EPIPE is a proper end: the reader has closed its end of the pipe.
    private static func end(
        _ queue: Mailbox<Queue>, _ error: SystemError?, _ name: String, _ report: @Sendable (Report) -> Void
    ) {
        guard let left = queue.abandon({ $0.end() }) else { return }
        guard let error else { return report(.ended) }
        report(error.number == EPIPE ? .readerGone(left: left) : .failed(StorageError(error, .write, name), left: left))
    }

    private static func write(_ item: WriterItem, to descriptor: CInt, _ queue: Mailbox<Queue>) -> SystemError? {
        switch item.payload {
        case .slab(let slice): slice.withBytes { write($0, to: descriptor, queue) }
        case .bytes(let bytes): bytes.withUnsafeBytes { write($0, to: descriptor, queue) }
        }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, _ queue: Mailbox<Queue>
    ) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(atomicLength))
            let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            guard count < 0 else {
                guard count > 0 else { return SystemError(number: EIO) }
                rest = rest.dropFirst(count)
                queue.withContent { $0.written += Int64(count) }
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process that shares the descriptor has made it non-blocking, so wait until the descriptor
                // accepts data.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&watched, 1, -1)
            case let number: return SystemError(number: number)
            }
        }
        return nil
    }
}
