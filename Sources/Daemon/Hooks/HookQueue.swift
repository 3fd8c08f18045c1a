// SPDX-License-Identifier: MIT

import Configuration
import Instants

/// An event for one hook.
struct HookJob: Hashable, Sendable {
    /// The number of the hook at the time of the event.
    let hook: Int
    let settings: HookSettings
    let event: HookEvent
    /// The time at which the second attempt may begin; nil for the first attempt.
    var notBefore: MonotonicInstant?
}

/// The events that wait for their hooks, oldest first: at most ``limit`` for each hook.
struct HookQueue {
    private var waiting: [HookJob] = []
    /// The number of dropped events that have not been reported yet.
    private var dropped = 0
    /// The hooks that lost an event and whose queues have been more than half full since then.
    private var crowded: Set<Int> = []

    static let limit = 64

    /// Whether a hook lost an event, and its queue has been more than half full since then.
    var isCrowded: Bool { !crowded.isEmpty }

    /// Adds an event. If there is no room, drops the hook's oldest event.
    mutating func add(_ job: HookJob) {
        if isFull(for: job.hook), let oldest = waiting.firstIndex(where: { $0.hook == job.hook }) {
            waiting.remove(at: oldest)
            drop(for: job.hook)
        }
        waiting.append(job)
    }

    /// Adds an event whose first attempt has failed. It is older than the hook's other events, so it is dropped if
    /// there is no room.
    mutating func addAgain(_ job: HookJob, at instant: MonotonicInstant) {
        guard !isFull(for: job.hook) else { return drop(for: job.hook) }
        var job = job
        job.notBefore = instant
        waiting.insert(job, at: 0)
    }

    /// Removes the oldest event that may begin. Events for `busy` hooks wait. So each hook handles one event at a time,
    /// in order, and a hook that hangs delays no other hook.
    mutating func next(at now: MonotonicInstant, besides busy: Set<Int> = []) -> HookJob? {
        let mayBegin = { (job: HookJob) in !busy.contains(job.hook) && job.notBefore.map { $0 <= now } ?? true }
        guard let index = waiting.firstIndex(where: mayBegin) else { return nil }
        let job = waiting.remove(at: index)
        if count(for: job.hook) <= Self.limit / 2 { crowded.remove(job.hook) }
        return job
    }

    /// When the next second attempt may begin; nil if no second attempt is waiting, or only attempts for `busy` hooks
    /// are.
    func nextAttempt(besides busy: Set<Int> = []) -> MonotonicInstant? {
        waiting.compactMap { busy.contains($0.hook) ? nil : $0.notBefore }.min()
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// The number of events that were dropped since the last call; nil if no events were dropped.
    mutating func takeDropped() -> Int? {
        defer { dropped = 0 }
        return dropped > 0 ? dropped : nil
    }

    mutating func removeAll() { waiting = [] }

    private func count(for hook: Int) -> Int { waiting.count { $0.hook == hook } }

    private func isFull(for hook: Int) -> Bool { count(for: hook) >= Self.limit }

    private mutating func drop(for hook: Int) {
        dropped += 1
        crowded.insert(hook)
    }
}
