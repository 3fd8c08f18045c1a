// SPDX-License-Identifier: MIT

import Instants

/// The events from a change of format on, while the frames before it still wait for their air time. A value.
///
/// A burst may contain a change of format. When the burst is over, the air time of the last format is known, and from
/// that the air time of the frames before the change: the burst is one stretch of the programme.
struct DeferredEvents: Sendable {
    private(set) var events: [StreamEvent] = []
    /// The air time of the first frame after the first change, once settled.
    private(set) var start: WallInstant?
    /// Whether no air time is to be expected: the programme has ended or has a gap, or too much waits.
    private(set) var isHopeless = false

    private var bytes = 0
    /// The first sample of the last format.
    private var firstSample: Int64 = 0
    /// The playing time of the frames after the first change: those before the last change, and those after it.
    private var before = Duration.zero
    private var after = Duration.zero

    private static let mostEvents = 1_024

    var isEmpty: Bool { events.isEmpty }

    mutating func append(_ event: StreamEvent) {
        events.append(event)
        switch event {
        case .format(_, let position):
            before += after
            after = .zero
            firstSample = position.samples
        case .chunk(let chunk):
            after += chunk.duration
            bytes += chunk.bytes.count
        case .airTime(let map) where map.isSettled && map.sampleRate > 0:
            start = map.instant(ofSample: firstSample) - before
        case .discontinuity(let discontinuity):
            if case .gap = discontinuity.kind { isHopeless = true }
        case .ended: isHopeless = true
        case .station, .splice, .stretch, .title, .airTime: break
        }
        if bytes > SegmentPlanner.largestHold || events.count >= Self.mostEvents { isHopeless = true }
    }
}
