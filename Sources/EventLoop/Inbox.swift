// SPDX-License-Identifier: MIT

import CLibEvent
import Glibc

/// The loop's inbox: what other threads, and the Swift runtime, want done on the loop. Thread-safe.
///
/// First in, first out, also between closures and executor jobs: both lie in one array, a job as the bare reference
/// that the runtime handed over. The loop swaps the array out under the lock and runs it outside.
package final class Inbox: Sendable {
    enum Item: Sendable {
        case call(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// What the loop does after a turn.
    enum NextStep {
        /// Wait for an event.
        case wait
        /// Look for events without waiting: there is work.
        case poll
        /// Run what is queued, without a look at timers and sockets: the loop shuts down.
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
    /// What ends the loop's wait when it is written to; nil for a loop that never waits.
    private let bell: CInt?

    /// An inbox of the loop that `thread` stands for; `bell` belongs to it, as whoever may post may ring.
    init(thread: LoopThread, bell: CInt?) {
        self.thread = thread
        self.bell = bell
    }

    deinit {
        if let bell { Glibc.close(bell) }
    }

    /// Queues an item, and wakes the loop where nobody else has. False, and nothing is queued, once it has closed.
    @discardableResult
    func put(_ item: Item) -> Bool {
        change { $0.items.append(item) }
    }

    /// No more turns: the loop runs what is queued, and what that queues, and closes.
    func close() {
        _ = change { $0.isClosing = true }
    }

    private func change(_ change: (inout State) -> Void) -> Bool {
        // The loop itself looks into the inbox before it waits.
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

    /// Swaps everything queued into `batch`, which must be empty and gives its storage for the next ones.
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
