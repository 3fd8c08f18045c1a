// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore

/// Events on their way from the reader's thread to the loop's. Thread-safe.
final class EventQueue: Sendable {
    private struct State {
        var events: [PlayoutStep] = []
        var taken = 0
        var bytes = 0
        var isClosed = false
    }

    private let monitor = Monitor(State())

    /// How far the reader is ahead: 16 s at 128 kbit/s, two of the largest streams.
    private static let mostBytes = 256 << 10
    private static let mostEvents = 1024

    /// Waits for room; what comes after ``close()`` is dropped.
    func put(_ event: PlayoutStep) {
        _ = monitor.wait(until: nil) { state -> Bool? in
            if state.isClosed { return false }
            guard state.bytes < Self.mostBytes, state.events.count - state.taken < Self.mostEvents else { return nil }
            state.events.append(event)
            state.bytes += event.byteCount
            return true
        }
    }

    /// Never waits.
    func take() -> PlayoutStep? {
        let event = monitor.withLock { state -> PlayoutStep? in
            guard state.taken < state.events.count else { return nil }
            let event = state.events[state.taken]
            // Its bytes go when it has played, not when the array is cleared.
            state.events[state.taken] = .idle
            state.taken += 1
            state.bytes -= event.byteCount
            if state.taken == state.events.count || state.taken == Self.mostEvents {
                state.events.removeFirst(state.taken)
                state.taken = 0
            }
            return event
        }
        if event != nil { monitor.signal() }
        return event
    }

    /// How many wait to be taken.
    var count: Int { monitor.withLock { $0.events.count - $0.taken } }

    /// Waits for some time, or for ``close()``.
    func rest(for duration: Duration) {
        _ = monitor.wait(until: .read() + duration) { $0.isClosed ? true : nil }
    }

    func close() {
        monitor.withLock { state in
            state.isClosed = true
            (state.events, state.taken, state.bytes) = ([], 0, 0)
        }
        monitor.signal()
    }
}

extension PlayoutStep {
    /// What it takes in memory, roughly.
    fileprivate var byteCount: Int {
        if case .parts(let parts) = self { parts.size } else { 0 }
    }
}
