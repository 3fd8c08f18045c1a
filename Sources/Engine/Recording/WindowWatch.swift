// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// Waits until a programme has a frame that aired at an instant or later. Until then, keeps enough audio to begin with
/// exactly that frame. Lasts as long as this object.
final class WindowWatch {
    private let hub: StreamHub
    private let start: () -> WallInstant
    private let onBegin: () -> Void
    private let claim: RingClaim
    private lazy var timer = reactor.makeTimer { [weak self] in self?.look() }
    private let reactor: any Reactor

    /// How much audio is kept: enough for all audio that may arrive between two calls of ``look()``, such as a burst
    /// after a reconnect. If the start is over, that may be everything since then.
    private static let depth = Duration.seconds(20)
    private static let interval = Duration.milliseconds(200)

    /// `start` is called at each look, because the wall clock may be set meanwhile. `onBegin` is called once, and never
    /// before this initializer has returned.
    init(
        of hub: StreamHub, from start: @escaping () -> WallInstant, reactor: any Reactor,
        onBegin: @escaping () -> Void
    ) {
        self.hub = hub
        self.start = start
        self.reactor = reactor
        self.onBegin = onBegin
        claim = hub.claim(Self.depth + max(.zero, min(reactor.wallNow - start(), .seconds(86_400))))
        timer.arm(at: reactor.now)
    }

    deinit { timer.cancel() }

    /// Calls `onBegin` if the newest frame aired at the start or later. Air time that has not settled is used as well:
    /// it can only be too late, so the recording may begin early, but it loses nothing.
    private func look() {
        let start = start()
        // A file that all came at once is on air until later than now, but nothing begins with it.
        let isStation = hub.position.frames > hub.foreign.upperBound
        if let airTime = hub.airTime, hub.hasAudio, isStation,
            airTime.instant(ofSample: hub.position.samples) >= start
        {
            return onBegin()
        }
        // No frame of the recording can arrive before the start, so the next look can wait until the start.
        let rest = min(max(start - reactor.wallNow, Self.interval), Self.longest)
        timer.arm(at: reactor.now + rest)
    }

    /// The longest time between two looks. It is limited because the wall clock may be set meanwhile.
    private static let longest = Duration.seconds(1)
}
