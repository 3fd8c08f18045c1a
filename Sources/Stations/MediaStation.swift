// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import MediaSources
package import RadioCore
package import RadioFormats

/// A station of our own: items that play one after the other, instead of a connection. Confined to the loop's thread.
///
/// Its sinks cannot tell it from any other live station.
package final class MediaStation {
    package let hub: StreamHub
    private let reactor: any Reactor
    private let info: StationInfo
    /// Set once, in ``start()``.
    private var source: PacedSource?
    private let items: [MediaItem]
    private let repeats: Bool
    private let ahead: Duration
    private var airClock: AirClock?

    /// `ahead` of audio is in the ring from the start, for the burst of the first listener.
    package init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool, ahead: Duration, reactor: any Reactor
    ) {
        self.items = items
        self.info = info
        self.repeats = repeats
        self.ahead = ahead
        self.reactor = reactor
        hub = StreamHub(depth: ahead + .seconds(2))
    }

    package func start() {
        guard source == nil else { return }
        hub.announce(info)
        let source = PacedSource(items, repeats: repeats, ahead: ahead, reactor: reactor, delegate: self)
        self.source = source
        source.start()
    }

    package func stop() {
        source?.stop()
        hub.end(nil)
    }
}

extension MediaStation: PacedSourceDelegate {
    package func source(_ source: PacedSource, began format: StreamFormat) {
        hub.begin(format)
        airClock = AirClock(sampleRate: format.sampleRate)
        hub.mark(.firstJoin)
    }

    package func source(_ source: PacedSource, title: String) {
        hub.setTitle(title)
    }

    package func sourceResynced(_ source: PacedSource) {
        hub.mark(.resync)
    }

    package func source(_ source: PacedSource, played frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        hub.append(bytes, samples: frame.samples, backReference: frame.backReference)
    }

    package func source(_ source: PacedSource, skipped item: String, because reason: String) {}

    package func sourceCaughtUp(_ source: PacedSource) {
        let (now, wall) = reactor.readClocks()
        if airClock?.arrived(from: 0, upTo: hub.position.samples, now: now, wall: wall) == true,
            let airTime = airClock?.airTime
        {
            hub.setAirTime(airTime)
        }
        hub.flush()
    }

    package func source(_ source: PacedSource, endedWith failure: Failure?) {
        hub.end(failure)
    }
}
