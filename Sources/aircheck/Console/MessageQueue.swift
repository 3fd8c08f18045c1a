// SPDX-License-Identifier: MIT

import Platform

/// A bounded queue from other threads to the main thread, which writes to the terminal.
///
/// A stopped terminal or an unread pipe must not hold up a recording, so posting never blocks. A full queue drops its
/// oldest message that is not marked as needed.
final class MessageQueue<Message: Sendable>: Sendable {
    private let messages = Mailbox<[(message: Message, isNeeded: Bool)]>([])
    private let limit: Int

    init(limit: Int = 256) {
        self.limit = limit
    }

    /// Appends a message. Never blocks. Callable from any thread. A message with `isNeeded` is never dropped.
    func post(_ message: Message, isNeeded: Bool = false) {
        messages.put { messages in
            if messages.count >= limit, let oldest = messages.firstIndex(where: { !$0.isNeeded }) {
                messages.remove(at: oldest)
            }
            messages.append((message, isNeeded))
        }
    }

    /// Blocks until the next message. Only one thread may call this.
    func next() -> Message {
        while true {
            let next = messages.take { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next.message }
        }
    }
}
