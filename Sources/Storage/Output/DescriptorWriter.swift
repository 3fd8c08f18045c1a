// SPDX-License-Identifier: MIT

import Glibc
import Instants
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
        /// The last report: everything has been written, or the reader has gone and did not get `left`.
        case ended(left: FrameTotals)
        /// The last report: writing failed, and `left` has not been written.
        case failed(StorageError, left: FrameTotals)
    }

    /// PIPE_BUF of Linux (pipe(7)): a pipe may accept only part of a longer write.
    package static let atomicLength = 4_096

    private let monitor = Monitor(State())
    private let limits: WriterLimits

    private struct State {
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
        var isFinished = false
        var hasEnded = false
        /// Whether the thread is waiting for data.
        var isIdle = false

        mutating func settle(_ item: WriterItem, _ limits: WriterLimits) -> Bool {
            bytes -= item.count
            waiting -= item.totals
            guard bytes <= limits.lowWater else { return false }
            isOverrun = false
            defer { isAboveHighWater = false }
            return isAboveHighWater
        }

        /// Ends the queue. Returns the totals of the unwritten frames.
        mutating func end() -> FrameTotals {
            guard !hasEnded else { return FrameTotals() }
            hasEnded = true
            items = []
            return waiting
        }
    }

    /// Starts the thread. The caller keeps the descriptor, which stays open. `name` is used in messages.
    package init(
        descriptor: CInt, name: String, limits: WriterLimits = WriterLimits(),
        report: @escaping @Sendable (Report) -> Void
    ) throws(StorageError) {
        self.limits = limits
        let (monitor, limits) = (monitor, limits)
        do throws(SystemError) {
            try WorkerThread.start(name: "output") { Self.run(monitor, limits, descriptor, name, report) }
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
        let (result, mustWake) = monitor.withLock { state -> (Appended, Bool) in
            guard !state.hasEnded, !state.isFinished else { return (.refused, false) }
            if state.bytes > 0, state.bytes + item.count > limits.clientBytes { state.isOverrun = true }
            guard !state.isOverrun else { return (.refused, false) }
            state.bytes += item.count
            state.waiting += totals
            if state.bytes >= limits.highWater { state.isAboveHighWater = true }
            state.items.append(item)
            let mustWake = state.isIdle
            state.isIdle = false
            return (state.isAboveHighWater ? .aboveHighWater : .queued, mustWake)
        }
        if mustWake { monitor.signal() }
        return result
    }

    /// Ends the input: writes the queued data, then reports ``Report/ended(left:)``.
    package func finish() {
        monitor.withLock { $0.isFinished = true }
        monitor.signal()
    }

    /// Bytes that the reader has accepted so far, to see whether it makes progress.
    package var written: Int64 { monitor.withLock { $0.written } }

    /// Stops after the present unit, and returns the totals of the unwritten frames. No report follows.
    package func abandon() -> FrameTotals {
        let left = monitor.withLock { $0.end() }
        monitor.signal()
        return left
    }

    // MARK: The thread

    private static func run(
        _ monitor: Monitor<State>, _ limits: WriterLimits, _ descriptor: CInt, _ name: String,
        _ report: @Sendable (Report) -> Void
    ) {
        while true {
            let items = take(monitor)
            guard !items.isEmpty else { return end(monitor, nil, name, report) }
            for item in items {
                if let error = write(item, to: descriptor, monitor) { return end(monitor, error, name, report) }
                let (isDrained, isOver) = monitor.withLock { ($0.settle(item, limits), $0.hasEnded) }
                if isOver { return }
                if isDrained { report(.drained) }
            }
        }
    }

    /// EPIPE is a proper end: the reader has closed its end of the pipe.
    private static func end(
        _ monitor: Monitor<State>, _ error: SystemError?, _ name: String, _ report: @Sendable (Report) -> Void
    ) {
        let (left, isAbandoned) = monitor.withLock { state in
            let isAbandoned = state.hasEnded
            return (state.end(), isAbandoned)
        }
        guard !isAbandoned else { return }
        if let error, error.number != EPIPE {
            report(.failed(StorageError(error, .write, name), left: left))
        } else {
            report(.ended(left: left))
        }
    }

    /// Waits for data and takes all of it; returns an empty array at the end.
    private static func take(_ monitor: Monitor<State>) -> [WriterItem] {
        monitor.wait(until: nil) { state -> [WriterItem]? in
            state.isIdle = state.items.isEmpty && !state.isFinished && !state.hasEnded
            guard !state.isIdle else { return nil }
            defer { state.items = [] }
            return state.items
        } ?? []
    }

    private static func write(_ item: WriterItem, to descriptor: CInt, _ monitor: Monitor<State>) -> SystemError? {
        switch item.payload {
        case .slab(let slice): slice.withBytes { write($0, to: descriptor, monitor) }
        case .bytes(let bytes): bytes.withUnsafeBytes { write($0, to: descriptor, monitor) }
        }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, _ monitor: Monitor<State>
    ) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(atomicLength))
            let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            guard count < 0 else {
                guard count > 0 else { return SystemError(number: EIO) }
                rest = rest.dropFirst(count)
                monitor.withLock { $0.written += Int64(count) }
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
