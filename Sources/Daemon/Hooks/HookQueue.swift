// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore

/// An event for one hook.
struct HookJob: Hashable, Sendable {
    /// The number of the hook at the time of the event.
    let hook: Int
    let settings: HookSettings
    let event: HookEvent
    /// When the event occurred, or was heard of if the clock was not set then. The wall clock may be set later.
    let since: MonotonicInstant
    /// The place in the order of all events, as ``HookQueue`` has numbered them.
    var number = 0
    /// How many attempts have failed.
    var failures = 0
    /// The time at which the next attempt may begin; nil for the first attempt.
    var notBefore: MonotonicInstant?

    /// `clocks`: the present time.
    init(
        hook: Int, settings: HookSettings, event: HookEvent, at clocks: ClockReading, failures: Int = 0,
        notBefore: MonotonicInstant? = nil
    ) {
        (self.hook, self.settings, self.event) = (hook, settings, event)
        (self.failures, self.notBefore) = (failures, notBefore)
        let time = event.at.instant
        since = clocks.now - (ClockTrust.isSet(time) ? max(.zero, clocks.wall - time) : .zero)
    }
}

extension HookJob {
    /// For how long an event is tried again: an alert that is older than a day helps nobody.
    private static let longest = Duration.seconds(86_400)

    /// The pause before the next attempt. The network may be back in a moment, or only in hours.
    var pause: Duration {
        let pauses = [10, 30, 60, 120, 300]
        return .seconds(pauses[min(max(failures - 1, 0), pauses.count - 1)])
    }

    /// Whether the event is too old for another attempt.
    func isStale(at now: MonotonicInstant) -> Bool { now - since > Self.longest }
}

/// The events that wait for their hooks, oldest first: at most ``limit`` for each hook, which are the newest ones.
struct HookQueue {
    /// The waiting events, in the order in which they occurred.
    private(set) var waiting: [HookJob] = []
    /// The number of the newest event.
    private var newest = 0
    /// The number of dropped events that have not been reported yet.
    private var dropped = 0
    /// Whether the events that the present crowding has dropped were reported.
    private var isReported = false
    /// The hooks that lost an event and whose queues have been more than half full since then.
    private var crowded: Set<Int> = []

    static let limit = 64

    /// Whether a hook lost an event, and its queue has been more than half full since then.
    var isCrowded: Bool { !crowded.isEmpty }

    /// Adds an event. If there is no room, drops the hook's oldest event. The oldest one that has failed is tried again
    /// before it, so that the hook gets them in order if it works again.
    mutating func add(_ job: HookJob) {
        if isFull(for: job.hook), let oldest = waiting.firstIndex(where: { $0.hook == job.hook }) {
            waiting.remove(at: oldest)
            drop(for: job.hook)
        }
        let oldest = waiting.firstIndex { $0.hook == job.hook && $0.notBefore != nil }
        if job.notBefore == nil, let oldest { waiting[oldest].notBefore = nil }
        newest += 1
        waiting.append(job)
        waiting[waiting.count - 1].number = newest
    }

    /// Puts an event whose attempt has failed back in its place. If newer events have taken all room, it is dropped.
    mutating func addAgain(_ job: HookJob, at instant: MonotonicInstant) {
        guard !isFull(for: job.hook) else { return drop(for: job.hook) }
        var job = job
        job.notBefore = instant
        waiting.insert(job, at: waiting.firstIndex { $0.number > job.number } ?? waiting.endIndex)
    }

    /// Removes the oldest event that may begin. Events for `busy` hooks wait. So each hook handles one event at a time,
    /// in order, and a hook that hangs delays no other hook. Events that have not been tried yet go first: while a hook
    /// fails, they must not wait for the repetitions of all others.
    mutating func next(at now: MonotonicInstant, besides busy: Set<Int> = []) -> HookJob? {
        let isNew = { (job: HookJob) in !busy.contains(job.hook) && job.notBefore == nil }
        let isDue = { (job: HookJob) in !busy.contains(job.hook) && job.notBefore.map { $0 <= now } ?? true }
        guard let index = waiting.firstIndex(where: isNew) ?? waiting.firstIndex(where: isDue) else { return nil }
        let job = waiting.remove(at: index)
        if count(for: job.hook) <= Self.limit / 2 { crowded.remove(job.hook) }
        return job
    }

    /// When the next repetition may begin; nil if none is waiting, or only repetitions for `busy` hooks are.
    func nextAttempt(besides busy: Set<Int> = []) -> MonotonicInstant? {
        waiting.compactMap { busy.contains($0.hook) ? nil : $0.notBefore }.min()
    }

    /// Lets all repetitions for a hook begin at once, before newer events, because an attempt has succeeded.
    mutating func hurry(_ hook: Int) {
        for index in waiting.indices where waiting[index].hook == hook { waiting[index].notBefore = nil }
    }

    /// Whether an event may begin.
    func isDue(at now: MonotonicInstant) -> Bool { waiting.contains { $0.notBefore.map { $0 <= now } ?? true } }

    /// The number of dropped events that are to be reported now; nil if there are none. Further ones are reported once
    /// the queue has room again.
    mutating func takeDropped() -> Int? {
        guard !isCrowded || !isReported else { return nil }
        isReported = isCrowded
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
