// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore

/// A bounded queue of events from the reader's thread to the loop's. Thread-safe.
final class EventQueue: Sendable {
    private struct State {
        var events: [PlayoutStep] = []
        var taken = 0
        var bytes = 0
    }

    private let mailbox = Mailbox(State())

    /// The limit for the bytes in the queue, and so for how far the reader runs ahead: 16 s at 128 kbit/s, or 2 s of
    /// the largest streams.
    private static let mostBytes = 256 << 10
    private static let mostEvents = 1024

    /// Adds an event. Blocks while the queue is full, and drops the event after ``close()``.
    func put(_ event: PlayoutStep) {
        _ = mailbox.take { state -> Void? in
            guard state.bytes < Self.mostBytes, state.events.count - state.taken < Self.mostEvents else { return nil }
            state.events.append(event)
            state.bytes += event.byteCount
            return ()
        }
    }

    /// Removes the next event; nil if there is none. Never blocks.
    func take() -> PlayoutStep? {
        let event = mailbox.put { state -> PlayoutStep? in
            guard state.taken < state.events.count else { return nil }
            let event = state.events[state.taken]
            // Frees the event's bytes now, and not only when the array is cleared.
            state.events[state.taken] = .idle
            state.taken += 1
            state.bytes -= event.byteCount
            if state.taken == state.events.count || state.taken == Self.mostEvents {
                state.events.removeFirst(state.taken)
                state.taken = 0
            }
            return event
        }
        return event ?? nil
    }

    /// The number of events in the queue.
    var count: Int { mailbox.withContent { $0.events.count - $0.taken } }

    /// Blocks for `duration`, or until ``close()``.
    func rest(for duration: Duration) {
        _ = mailbox.rest(for: duration)
    }

    func close() { mailbox.abandon { $0 = State() } }
}

extension PlayoutStep {
    /// The event's approximate size in memory.
    fileprivate var byteCount: Int {
        if case .parts(let parts) = self { parts.size } else { 0 }
    }
}
