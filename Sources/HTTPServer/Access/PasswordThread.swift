// SPDX-License-Identifier: MIT

import Platform

/// The thread that holds passwords against hashes, which is slow on purpose, behind a bounded queue.
///
/// Sendable. The thread ends after ``close()``, when the password at hand is done; nobody waits for it.
final class PasswordThread: Sendable {
    struct Job: Sendable {
        let id: KeyedDigest.Value
        var password: [UInt8]
        let hash: PasswordHash
    }

    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let queue = Monitor(Queue())
    /// How many may wait: whoever comes then had better come later.
    private let mostJobs: Int

    /// The longest time that any of the hashes in use takes.
    private static let slowestHash = Duration.milliseconds(500)

    /// Starts the thread. What it takes on is done within `patience` also where all hashes are slow. `tell` is called on
    /// it for each job, with whether the password matches the hash.
    init(patience: Duration, tell: @escaping @Sendable (KeyedDigest.Value, Bool) -> Void) throws(SystemError) {
        // One more is being looked at.
        mostJobs = max(1, Int(patience / Self.slowestHash) - 1)
        try WorkerThread.start(name: "passwords") { [queue] in
            while var job = Self.nextJob(queue) {
                let matches = job.hash.matches(job.password)
                job.password.wipe()
                tell(job.id, matches)
            }
        }
    }

    /// Queues a password. False where the queue is full.
    func submit(_ job: Job) -> Bool {
        let isQueued = queue.withLock { queue in
            guard queue.jobs.count < mostJobs else { return false }
            queue.jobs.append(job)
            return true
        }
        if isQueued { queue.signal() }
        return isQueued
    }

    /// Ends the thread, and drops what is queued.
    func close() {
        queue.withLock { $0 = Queue(isClosed: true) }
        queue.signal()
    }

    /// Waits for the next job; nil at the end.
    private static func nextJob(_ queue: Monitor<Queue>) -> Job? {
        let next: Job?? = queue.wait(until: nil) { queue in
            guard queue.isClosed || !queue.jobs.isEmpty else { return nil }
            return .some(queue.isClosed ? nil : queue.jobs.removeFirst())
        }
        return next ?? nil
    }
}
