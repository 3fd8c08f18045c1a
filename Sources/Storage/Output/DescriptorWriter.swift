// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
package import RadioCore

/// Frames to a descriptor that somebody reads: standard output, mostly a pipe. On a thread of its own, as the reader
/// may stop reading. Data is written as soon as it is there, because a player wants frames soon.
///
/// Each call to ``append(_:_:)`` is a unit: while its reader reads, the writer leaves nothing out but whole units. A
/// pipe takes up to ``atomicLength`` bytes wholly or not at all, so a reader that stops for good never gets half of
/// such a unit. It may get half of a longer one, such as a page of Ogg FLAC.
///
/// Sendable; never blocks its caller. The queue is bounded in bytes alone: how long they wait is the reader's affair.
/// Once it is full it takes nothing before it has drained to the low-water mark, so that a slow reader of a live
/// station misses a stretch now and then rather than every other frame.
package final class DescriptorWriter: Sendable {
    /// What the writer reports; called on its thread.
    package enum Report: Hashable, Sendable {
        /// The queue was above the high-water mark and is below the low one.
        case drained
        /// The last report: everything is written, or the reader has gone and left this.
        case ended(left: FrameTotals)
        /// The last report: something cannot be written, and this is left.
        case failed(StorageError, left: FrameTotals)
    }

    /// PIPE_BUF of Linux (pipe(7)): longer writes to a pipe may be taken in part.
    package static let atomicLength = 4_096

    private let monitor = Monitor(State())
    private let limits: WriterLimits

    private struct State {
        var items: [WriterItem] = []
        /// Bytes that are not written yet, those at hand included, and the totals of their frames.
        var bytes = 0
        var waiting = FrameTotals()
        /// Bytes that were written, ever.
        var written: Int64 = 0
        var isAboveHighWater = false
        /// Whether the queue was full, and has not drained since.
        var isOverrun = false
        var isFinished = false
        var hasEnded = false
        /// Whether the thread sleeps with nothing to do.
        var isIdle = false

        mutating func settle(_ item: WriterItem, _ limits: WriterLimits) -> Bool {
            bytes -= item.count
            waiting -= item.totals
            guard bytes <= limits.lowWater else { return false }
            isOverrun = false
            defer { isAboveHighWater = false }
            return isAboveHighWater
        }

        /// Takes nothing any more; returns what is not written.
        mutating func end() -> FrameTotals {
            guard !hasEnded else { return FrameTotals() }
            hasEnded = true
            items = []
            return waiting
        }
    }

    /// Starts the thread. The descriptor stays the caller's and open; `name` is what messages call it.
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

    /// Appends whole pages that hold frames with these totals.
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

    /// No more will come: what waits is written, then ``Report/ended(left:)`` is reported.
    package func finish() {
        monitor.withLock { $0.isFinished = true }
        monitor.signal()
    }

    /// Bytes that the reader has taken so far: whether it still makes progress.
    package var written: Int64 { monitor.withLock { $0.written } }

    /// Writes no further unit, and returns the totals of those that are left. Nothing is reported after that.
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

    /// A reader that has had enough is a proper end.
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

    /// Waits for data and takes all there is; empty at the end.
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
                // Somebody who shares the descriptor has made it non-blocking.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&watched, 1, -1)
            case let number: return SystemError(number: number)
            }
        }
        return nil
    }
}
