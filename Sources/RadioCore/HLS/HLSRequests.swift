// SPDX-License-Identifier: MIT

import Instants

/// The requests for segments: how many may be under way, and since when all have failed. A value.
struct HLSRequests: Sendable {
    private struct Request: Sendable {
        let began: MonotonicInstant
        var isSearch: Bool
        var count = 1
    }

    private var underWay: [HLSSegmentID: Request] = [:]
    /// How many requests in a row have failed.
    private(set) var failures = 0
    /// Until when there are no requests, because many in a row have failed.
    private(set) var pause: MonotonicInstant?
    /// When the first failed of the latest requests, all of which have failed; nil if the last one succeeded.
    private(set) var failingSince: MonotonicInstant?

    private static let (most, mostInAll) = (2, 4)
    private static let fewFailures = 3
    private static let shortPause = Duration.milliseconds(500)

    /// Whether a request for a segment that comes next may be sent. Requests for segments that were left out do not
    /// delay it.
    var mayFetch: Bool {
        underWay.count < Self.mostInAll && underWay.values.count { !$0.isSearch } < Self.most
    }

    /// Whether a request for a segment that was left out may be sent.
    var maySearch: Bool { mayFetch && !underWay.values.contains(where: \.isSearch) }

    func isUnderWay(_ id: HLSSegmentID) -> Bool { underWay[id] != nil }

    /// When the request for a segment was sent; nil unless exactly one is under way.
    func onlyRequest(for id: HLSSegmentID) -> MonotonicInstant? {
        underWay[id].flatMap { $0.count == 1 ? $0.began : nil }
    }

    mutating func begin(_ id: HLSSegmentID, isSearch: Bool, _ now: MonotonicInstant) {
        if underWay[id] != nil {
            underWay[id]?.count += 1
        } else {
            underWay[id] = Request(began: now, isSearch: isSearch)
        }
    }

    /// The segment has been left out.
    mutating func leaveOut(_ id: HLSSegmentID) { underWay[id]?.isSearch = true }

    mutating func succeeded(_ id: HLSSegmentID) {
        underWay[id] = nil
        (failures, pause, failingSince) = (0, nil, nil)
    }

    mutating func failed(_ id: HLSSegmentID, _ now: MonotonicInstant) {
        underWay[id]?.count -= 1
        if underWay[id]?.count == 0 { underWay[id] = nil }
        failures += 1
        failingSince = failingSince ?? now
        if failures > Self.fewFailures { pause = now + Self.shortPause }
    }

    /// Forgets earlier failures, because other servers are asked from now on.
    mutating func restart() { (failures, pause, failingSince) = (0, nil, nil) }
}
