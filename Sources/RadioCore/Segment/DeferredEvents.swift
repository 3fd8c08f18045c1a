// SPDX-License-Identifier: MIT

import Instants

/// The events from a change of format on, while the frames before it still wait for their air time: a value.
///
/// A burst may have such a change in it. When the burst is over, the last format's air time is known, and from that the
/// air time of the frames before the change: the burst is one stretch of the programme.
struct DeferredEvents: Sendable {
    private(set) var events: [StreamEvent] = []
    /// When the first frame behind the change was on air, once that has settled.
    private(set) var start: WallInstant?
    /// No air time is to be expected: the programme is over, or goes on elsewhere, or too much waits.
    private(set) var isHopeless = false

    private var bytes = 0
    /// Where the frames of the last format begin.
    private var firstSample: Int64 = 0
    /// How long the frames behind the first change play: those before the last change, and those after it.
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
