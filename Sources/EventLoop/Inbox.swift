// SPDX-License-Identifier: MIT

import CLibEvent
import Glibc

/// The loop's inbox: work for the loop from other threads and the Swift runtime. Thread-safe.
///
/// First in, first out, even between closures and executor jobs: both are in one array, a job as the bare reference
/// that the runtime passed. The loop takes the array under the lock and runs it outside.
package final class Inbox: Sendable {
    enum Item: Sendable {
        case call(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// What the loop does after a turn.
    enum NextStep {
        /// Wait for an event.
        case wait
        /// Check for events without waiting: there is work.
        case poll
        /// Run what is queued, without checking timers and sockets: the loop is shutting down.
        case drain
        /// Leave: the loop is closed, and nothing is queued.
        case leave
    }

    private struct State {
        var items: [Item] = []
        var isWakePending = false
        var isClosing = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let thread: LoopThread
    /// An eventfd whose write ends the loop's wait; nil for a loop that never waits.
    private let bell: CInt?

    /// The inbox of the loop whose thread is `thread`. It owns `bell`, because any thread that may post may ring it.
    init(thread: LoopThread, bell: CInt?) {
        self.thread = thread
        self.bell = bell
    }

    deinit {
        if let bell { Glibc.close(bell) }
    }

    /// Queues an item, and wakes the loop if needed. Returns false, without queuing, once the loop has closed.
    @discardableResult
    func put(_ item: Item) -> Bool {
        change { $0.items.append(item) }
    }

    /// Ends the turns: the loop runs everything queued, including the items that these queue in turn, and closes.
    func close() {
        _ = change { $0.isClosing = true }
    }

    private func change(_ change: (inout State) -> Void) -> Bool {
        // The loop itself need not be woken: it checks the inbox before it waits.
        let mayWait = !thread.isCurrent
        let (isOpen, mustWake) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            change(&state)
            let mustWake = mayWait && !state.isWakePending
            if mustWake { state.isWakePending = true }
            return (true, mustWake)
        }
        if mustWake, let bell { ac_event_wakeup(bell) }
        return isOpen
    }

    /// Moves all queued items into `batch`, which must be empty and whose storage is reused for the next items.
    func take(into batch: inout [Item]) {
        state.withLock { state in
            swap(&state.items, &batch)
            state.isWakePending = false
        }
    }

    func nextStep(hasWork: Bool) -> NextStep {
        state.withLock { state in
            let isIdle = !hasWork && state.items.isEmpty
            guard state.isClosing else { return isIdle ? .wait : .poll }
            guard isIdle else { return .drain }
            state.isClosed = true
            return .leave
        }
    }

    var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}
