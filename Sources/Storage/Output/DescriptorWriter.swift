// SPDX-License-Identifier: MIT

import Glibc
import Instants
package import RadioCore

/// Frames to a descriptor that somebody reads: standard output, mostly a pipe. On a thread of its own, as the reader
/// may stop reading. What is there is written at once, as a player wants frames soon; what comes while a write is under
/// way goes out together.
///
/// Sendable; never blocks its caller. The queue has the bounds of a station's ``WriterQueue``.
package final class DescriptorWriter: Sendable {
    /// What came of it; called on the thread.
    package enum Report: Hashable, Sendable {
        /// The queue was above the high-water mark and is below the low one.
        case drained
        /// The last report: everything is written, or the reader has gone.
        case ended
        /// The last report: something cannot be written.
        case failed(StorageError)
    }

    private let monitor = Monitor(State())
    private let limits: WriterLimits

    private struct State {
        var items: [WriterItem] = []
        /// Bytes that are not written yet, those at hand included.
        var bytes = 0
        var oldest: MonotonicInstant?
        var isAboveHighWater = false
        var isFinished = false
        var hasEnded = false
        /// Whether the thread sleeps with nothing to do.
        var isIdle = false
    }

    /// Starts the thread. The descriptor stays the caller's and open; `name` is what messages call it.
    package init(
        descriptor: CInt, name: String, limits: WriterLimits = WriterLimits(),
        report: @escaping @Sendable (Report) -> Void
    ) throws(StorageError) {
        self.limits = limits
        let (monitor, limits) = (monitor, limits)
        do throws(SystemError) {
            try WorkerThread.start(name: "output") {
                report(Self.run(monitor, limits, descriptor, name, report))
            }
        } catch {
            throw StorageError(error, .create, "the thread that writes \(name)")
        }
    }

    /// Whole frames by reference.
    package func append(_ slice: SlabSlice) -> Appended {
        append(.slab(slice), slice.count)
    }

    package func append(_ bytes: [UInt8]) -> Appended {
        append(.bytes(bytes), bytes.count)
    }

    private func append(_ payload: WriterItem.Payload, _ count: Int) -> Appended {
        let item = WriterItem(payload: payload, frames: 0, frameBytes: 0, samples: 0, arrival: .read())
        let (result, mustWake) = monitor.withLock { state -> (Appended, Bool) in
            guard !state.hasEnded, !state.isFinished else { return (.refused, false) }
            if state.bytes > 0 {
                let waited = state.oldest.map { item.arrival - $0 } ?? .zero
                guard waited < limits.stationAge, state.bytes + count <= limits.stationBytes else {
                    return (.refused, false)
                }
            }
            state.bytes += count
            state.oldest = state.oldest ?? item.arrival
            if state.bytes >= limits.highWater { state.isAboveHighWater = true }
            state.items.append(item)
            let mustWake = state.isIdle
            state.isIdle = false
            return (state.isAboveHighWater ? .aboveHighWater : .queued, mustWake)
        }
        if mustWake { monitor.signal() }
        return result
    }

    /// No more will come: what waits is written, then ``Report/ended`` is reported.
    package func finish() {
        monitor.withLock { $0.isFinished = true }
        monitor.signal()
    }

    // MARK: The thread

    private static func run(
        _ monitor: Monitor<State>, _ limits: WriterLimits, _ descriptor: CInt, _ name: String,
        _ report: @Sendable (Report) -> Void
    ) -> Report {
        while true {
            let items = take(monitor)
            guard !items.isEmpty else { return end(monitor, .ended) }
            let error = write(items, to: descriptor)
            let bytes = items.reduce(0) { $0 + $1.count }
            let isDrained = monitor.withLock { state in
                state.bytes -= bytes
                state.oldest = state.items.first?.arrival
                let isDrained = state.isAboveHighWater && state.bytes <= limits.lowWater
                if isDrained { state.isAboveHighWater = false }
                return isDrained
            }
            // A reader that has had enough is a proper end.
            if let error {
                return end(monitor, error.number == EPIPE ? .ended : .failed(StorageError(error, .write, name)))
            }
            if isDrained { report(.drained) }
        }
    }

    private static func end(_ monitor: Monitor<State>, _ report: Report) -> Report {
        monitor.withLock { state in
            state.hasEnded = true
            state.items = []
            state.bytes = 0
        }
        return report
    }

    /// Waits for data and takes all there is; empty at the end.
    private static func take(_ monitor: Monitor<State>) -> [WriterItem] {
        monitor.wait(until: nil) { state -> [WriterItem]? in
            state.isIdle = state.items.isEmpty && !state.isFinished
            guard !state.isIdle else { return nil }
            defer { state.items = [] }
            return state.items
        } ?? []
    }

    private static func write(_ items: [WriterItem], to descriptor: CInt) -> SystemError? {
        let system = LinuxFileSystem()
        let batch = BatchWriter { buffers throws(SystemError) in
            while true {
                do throws(SystemError) {
                    return try system.write(descriptor, buffers)
                } catch {
                    // Somebody who shares the descriptor has made it non-blocking.
                    guard error.number == EAGAIN else { throw error }
                    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&watched, 1, -1)
                }
            }
        }
        return batch.write(items[...]).error
    }
}
