// SPDX-License-Identifier: MIT

import Platform

/// A bounded queue of steps from a reader's thread to the loop's. Thread-safe.
final class StepQueue: Sendable {
    private let mailbox = Mailbox(StepBuffer())

    /// The limit for the bytes in the queue, and so for how far the reader runs ahead: 16 s at 128 kbit/s, or 2 s of
    /// the largest streams.
    private static let mostBytes = 256 << 10
    private static let mostSteps = 1024

    /// Adds a step. Blocks while the queue is full. Returns whether the queue was empty; nil after ``close()``.
    func put(_ step: MediaStep) -> Bool? {
        mailbox.take { buffer in
            guard buffer.bytes < Self.mostBytes, buffer.count < Self.mostSteps else { return nil }
            buffer.append(step)
            return buffer.count == 1
        }
    }

    /// Removes the next step; nil if there is none. Never blocks.
    func take() -> MediaStep? { mailbox.put { $0.take() } ?? nil }

    /// The number of steps in the queue.
    var count: Int { mailbox.withContent { $0.count } }

    /// Blocks for `duration`, or until ``close()``.
    func rest(for duration: Duration) { _ = mailbox.rest(for: duration) }

    func close() { mailbox.abandon { $0 = StepBuffer() } }
}
