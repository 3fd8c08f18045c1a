// SPDX-License-Identifier: MIT

import Synchronization

/// A bounded queue from the loop's thread to the main thread, which writes to the terminal.
///
/// A terminal that has been stopped, or a pipe that nobody reads, must not hold up a recording: the loop posts and goes
/// on. Of what does not fit the oldest is dropped, so the newest (the end above all) always gets through.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let signal = Signal()
    private let limit: Int

    init(limit: Int = 256) {
        self.limit = limit
    }

    /// Never blocks. Any thread.
    func post(_ message: Message) {
        messages.withLock { messages in
            if messages.count >= limit { messages.removeFirst() }
            messages.append(message)
        }
        signal.notify()
    }

    /// Waits for the next message. One thread.
    func next() -> Message {
        while true {
            if let message = messages.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return message }
            signal.wait()
        }
    }
}
