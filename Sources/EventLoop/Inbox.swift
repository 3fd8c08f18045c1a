// SPDX-License-Identifier: MIT

/// The loop's inbox: what other threads, and the Swift runtime, want done on the loop. Thread-safe.
///
/// First in, first out, also between closures and executor jobs: both lie in one array, a job as the bare reference
/// that the runtime handed over. The loop swaps the array out under the lock and runs it outside.
final class Inbox: Sendable {
    enum Item: Sendable {
        case call(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// What follows for the thread that put something in.
    enum Receipt {
        /// The loop is awake, or somebody has woken it already.
        case queued
        /// The caller must wake the loop.
        case mustWake
        /// The loop has shut down; nothing was queued.
        case closed
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

    func put(_ item: Item, fromLoop: Bool) -> Receipt {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            state.items.append(item)
            // The loop looks into the inbox before it waits.
            return fromLoop ? .queued : Self.askToWake(&state)
        }
    }

    /// No more turns: the loop runs what is queued, and what that queues, and closes.
    func close(fromLoop: Bool) -> Receipt {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            state.isClosing = true
            return fromLoop ? .queued : Self.askToWake(&state)
        }
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

    var isClosed: Bool { state.withLock { $0.isClosed } }

    private static func askToWake(_ state: inout State) -> Receipt {
        guard !state.isWakePending else { return .queued }
        state.isWakePending = true
        return .mustWake
    }
}
