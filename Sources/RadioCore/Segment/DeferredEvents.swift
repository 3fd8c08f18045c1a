// SPDX-License-Identifier: MIT

import Instants

/// The events from a change of format on, held while the frames before the change still wait for their air time.
///
/// A burst may contain a change of format. When the burst is over, the air time of the last format is known. The air
/// time of the frames before the change follows from it, because the burst is one continuous part of the programme.
struct DeferredEvents: Sendable {
    private(set) var events: [StreamEvent] = []
    /// The air time of the first frame after the first change of format; nil until the air time has settled.
    private(set) var start: WallInstant?
    /// Whether no air time can be expected: the programme has ended or has a gap, or too much is held.
    private(set) var isHopeless = false

    private var bytes = 0
    /// The first sample of the last format.
    private var firstSample: Int64 = 0
    /// The playing time of the frames after the first change of format: from there to the last change, and since the
    /// last change.
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
        case .station, .splice, .stretch, .found, .hole, .title, .airTime: break
        }
        if bytes > SegmentPlanner.largestHold || events.count >= Self.mostEvents { isHopeless = true }
    }
}
