// SPDX-License-Identifier: MIT

/// The sinks that are full, for which the source of a programme pauses.
struct PauseRequests {
    private var sinks: Set<ObjectIdentifier> = []

    var isEmpty: Bool { sinks.isEmpty }

    /// Adds a sink's request. Returns whether the source has to pause now.
    @discardableResult
    mutating func add(_ sink: any StreamSink) -> Bool {
        let wasRunning = sinks.isEmpty
        sinks.insert(ObjectIdentifier(sink))
        return wasRunning
    }

    /// Withdraws a sink's request. Returns whether the source may resume now.
    mutating func remove(_ sink: any StreamSink) -> Bool {
        sinks.remove(ObjectIdentifier(sink)) != nil && sinks.isEmpty
    }

    /// Drops all requests. Returns whether the source may resume now.
    mutating func dropAll() -> Bool {
        defer { sinks = [] }
        return !sinks.isEmpty
    }
}
