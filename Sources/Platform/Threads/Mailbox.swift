// SPDX-License-Identifier: MIT

package import Instants

/// What one thread leaves for another: a value behind a lock, which may be waited for, and which has an end.
///
/// Thread-safe. The owner chooses the content, its bound, and what happens when it is full: a queue, a value of which
/// only the latest counts, and a number of permitted steps are all mailboxes. A mailbox ends in one of two ways: after
/// ``close()``, the receiver still gets what is in it; after ``abandon(_:)``, nothing. No closure may block or use a
/// mailbox.
package final class Mailbox<Content>: Sendable {
    private enum Phase { case open, closed, abandoned }

    private let state: Monitor<(content: Content, phase: Phase)>

    package init(_ content: Content) { state = Monitor((content, .open)) }

    /// Changes the content, and wakes the threads that wait. Returns nil, and changes nothing, once the mailbox has
    /// ended. Never blocks.
    @discardableResult
    package func put<Result>(_ change: (inout Content) -> Result) -> Result? {
        let result = state.withLock { $0.phase == .open ? change(&$0.content) : nil }
        if result != nil { state.signal() }
        return result
    }

    /// Calls `body` until it returns a value, after each change by ``put(_:)`` again, and blocks in between.
    ///
    /// Returns nil once the mailbox is abandoned, or closed and without such a value, or at the deadline.
    package func take<Result>(
        until deadline: MonotonicInstant? = nil, _ body: (inout Content) -> Result?
    ) -> Result? {
        let taken: Result?? = state.wait(until: deadline) { state in
            guard state.phase != .abandoned else { return .some(nil) }
            if let result = body(&state.content) { return result }
            return state.phase == .open ? nil : .some(nil)
        }
        return taken ?? nil
    }

    /// Blocks for `duration`, or until the mailbox ends. Returns whether it is still open.
    package func rest(for duration: Duration) -> Bool {
        state.wait(until: .read() + duration) { $0.phase == .open ? nil : false } ?? true
    }

    /// Accesses the content, even after the end. Wakes nobody.
    package func withContent<Result>(_ body: (inout Content) -> Result) -> Result {
        state.withLock { body(&$0.content) }
    }

    /// Ends the mailbox; what is in it can still be taken. Idempotent.
    package func close() {
        state.withLock { if $0.phase == .open { $0.phase = .closed } }
        state.signal()
    }

    /// Ends the mailbox at once: nothing can be taken any more. `body` accesses the content for the last time. Returns
    /// nil if the mailbox had been abandoned before.
    @discardableResult
    package func abandon<Result>(_ body: (inout Content) -> Result) -> Result? {
        let result: Result? = state.withLock { state in
            guard state.phase != .abandoned else { return nil }
            state.phase = .abandoned
            return body(&state.content)
        }
        state.signal()
        return result
    }
}
