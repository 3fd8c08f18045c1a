// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations

// When the audio in the ring was on air.
extension ListenerStream {
    /// The place of the frame that was on air at an instant; of the next one if none was, and of the oldest one that a
    /// listener may have if the ring has no older one.
    func cursor(onAirAt instant: WallInstant, _ now: WallInstant) -> RingCursor {
        let behind = ring.joinPoint(behind: max(.zero, edge(now) - instant))
        guard isDatedByFrame else {
            // How long a gap lasted is not known here.
            return gaps.newest.map { ring.isOverrun($0) ? behind : max($0, behind) } ?? behind
        }
        let oldest = ring.position(of: ring.joinPoint(behind: .seconds(1 << 40))).frames
        return ring.cursor(ofFrame: max(oldest, hub.frame(onAirAt: instant)))
    }

    /// When the frame at a place was on air.
    func airTime(of cursor: RingCursor, _ now: WallInstant) -> WallInstant {
        let place = ring.position(of: cursor)
        guard isDatedByFrame, let map = hub.timeline.applicable(at: place.frames).airTime else {
            return edge(now) - ring.lag(of: cursor)
        }
        return map.instant(ofSample: place.samples)
    }

    /// Whether the timeline dates the frames of ``ring``. It does not know Ogg pages, nor files that are played.
    private var isDatedByFrame: Bool { !isOgg && hub.airTime != nil }

    /// When the newest audio was on air.
    private func edge(_ now: WallInstant) -> WallInstant {
        hub.airTime?.instant(ofSample: hub.position.samples) ?? now
    }
}
