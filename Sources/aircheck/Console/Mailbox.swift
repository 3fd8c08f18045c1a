// SPDX-License-Identifier: MIT

import Platform

/// A bounded queue from the loop's thread to the main thread, which writes to the terminal.
///
/// A terminal that has been stopped, or a pipe that nobody reads, must not hold up a recording: the loop posts and goes
/// on. Of what does not fit the oldest is dropped, except for messages that are marked as needed.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Monitor<[(message: Message, isNeeded: Bool)]>([])
    private let limit: Int

    init(limit: Int = 256) {
        self.limit = limit
    }

    /// Never blocks. Any thread. A message that `isNeeded` is never dropped.
    func post(_ message: Message, isNeeded: Bool = false) {
        messages.withLock { messages in
            if messages.count >= limit, let oldest = messages.firstIndex(where: { !$0.isNeeded }) {
                messages.remove(at: oldest)
            }
            messages.append((message, isNeeded))
        }
        messages.signal()
    }

    /// Waits for the next message. One thread.
    func next() -> Message {
        while true {
            let next = messages.wait(until: nil) { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next.message }
        }
    }
}
