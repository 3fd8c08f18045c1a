// SPDX-License-Identifier: MIT

import Configuration
import Instants

/// An event for one hook.
struct HookJob: Hashable, Sendable {
    /// The number of the hook at the time of the event.
    let hook: Int
    let settings: HookSettings
    let event: HookEvent
    /// Set for the second attempt: when it may begin.
    var notBefore: MonotonicInstant?
}

/// The events that wait for their hooks, the oldest first. A value, bounded.
struct HookQueue {
    private var waiting: [HookJob] = []
    /// The number of events that were dropped and not reported yet.
    private var dropped = 0
    /// Whether events were dropped, and there has been no room since.
    private(set) var isCrowded = false

    static let limit = 64

    /// Adds an event; if there is no room, the oldest one is dropped for it.
    mutating func add(_ job: HookJob) {
        if waiting.count >= Self.limit {
            waiting.removeFirst()
            dropped += 1
            isCrowded = true
        }
        waiting.append(job)
    }

    /// Adds an event whose first attempt has failed. It is older than the others, so it is dropped if there is no room.
    mutating func addAgain(_ job: HookJob, at instant: MonotonicInstant) {
        guard waiting.count < Self.limit else {
            dropped += 1
            isCrowded = true
            return
        }
        var job = job
        job.notBefore = instant
        waiting.insert(job, at: 0)
    }

    /// Removes the oldest event that may begin. Events of `busy` hooks wait. So each hook handles one event at a time,
    /// in order, and a hook that hangs delays no other.
    mutating func next(at now: MonotonicInstant, besides busy: Set<Int> = []) -> HookJob? {
        let mayBegin = { (job: HookJob) in !busy.contains(job.hook) && job.notBefore.map { $0 <= now } ?? true }
        guard let index = waiting.firstIndex(where: mayBegin) else { return nil }
        let job = waiting.remove(at: index)
        if waiting.count <= Self.limit / 2 { isCrowded = false }
        return job
    }

    /// When the next second attempt may begin; nil if none waits.
    var nextAttempt: MonotonicInstant? { waiting.compactMap(\.notBefore).min() }

    var isEmpty: Bool { waiting.isEmpty }

    /// The number of events that were dropped since the last call; nil if none were.
    mutating func takeDropped() -> Int? {
        defer { dropped = 0 }
        return dropped > 0 ? dropped : nil
    }

    mutating func removeAll() { waiting = [] }
}
