// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// The thread that holds passwords against hashes, which is slow on purpose, behind a bounded queue.
///
/// Sendable: the queue is behind a lock. The thread waits on one event counter, and says on the other that it has
/// results, which the loop watches. It ends after ``close()``, when the password at hand is done; nobody waits for it.
final class PasswordThread: Sendable {
    struct Job: Sendable {
        let id: KeyedDigest.Value
        var password: [UInt8]
        let hash: PasswordHash
    }

    struct Result: Sendable {
        let id: KeyedDigest.Value
        let matches: Bool
    }

    /// Readable when there are results; belongs to this object.
    let results: CInt
    private let work: CInt
    private let state = Mutex(State())

    private struct State {
        var jobs: [Job] = []
        var results: [Result] = []
        var isClosed = false
    }

    /// How many may wait: whoever comes then had better come later.
    private let mostJobs: Int

    /// The longest time that any of the hashes in use takes.
    private static let slowestHash = Duration.milliseconds(500)
    private static let stackSize = 256 * 1024

    /// Starts the thread; nil where there is no descriptor or no thread to be had. What it takes on is done within
    /// `patience` also where all hashes are slow.
    init?(patience: Duration) {
        // One more is being looked at.
        mostJobs = max(1, Int(patience / Self.slowestHash) - 1)
        work = ac_open_event_counter(1)
        results = ac_open_event_counter(0)
        guard work >= 0, results >= 0, start() else { return nil }
    }

    deinit {
        if work >= 0 { Glibc.close(work) }
        if results >= 0 { Glibc.close(results) }
    }

    /// Queues a password. False where the queue is full.
    func submit(_ job: Job) -> Bool {
        let isQueued = state.withLock { state in
            guard state.jobs.count < mostJobs else { return false }
            state.jobs.append(job)
            return true
        }
        if isQueued { Self.raise(work) }
        return isQueued
    }

    /// What has been found since the last call.
    func takeResults() -> [Result] {
        var count: UInt64 = 0
        _ = read(results, &count, MemoryLayout.size(ofValue: count))
        return state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    /// Ends the thread, and drops what is queued.
    func close() {
        state.withLock { state in
            state.jobs = []
            state.isClosed = true
        }
        Self.raise(work)
    }

    private func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        // Signals belong to the loop.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, &attributes, runPasswordThread, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        return true
    }

    fileprivate func run() {
        ac_name_thread("passwords")
        while let job = nextJob() {
            guard var job else { continue }
            let result = Result(id: job.id, matches: job.hash.matches(job.password))
            job.password.wipe()
            state.withLock { $0.results.append(result) }
            Self.raise(results)
        }
    }

    /// Waits for the next job; nil in the inner optional where it was for nothing, in the outer one at the end.
    private func nextJob() -> Job?? {
        var count: UInt64 = 0
        _ = read(work, &count, MemoryLayout.size(ofValue: count))
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            return .some(state.jobs.isEmpty ? nil : state.jobs.removeFirst())
        }
    }

    private static func raise(_ counter: CInt) {
        var one: UInt64 = 1
        _ = write(counter, &one, MemoryLayout.size(ofValue: one))
    }
}

/// The entry of the thread, which holds its object.
private func runPasswordThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<PasswordThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
