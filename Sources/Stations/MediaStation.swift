// SPDX-License-Identifier: MIT

package import EventLoop
package import MediaSources
package import RadioCore
package import RadioFormats

/// A station whose programme is media items, played in real time: no upstream, no reconnects, no gaps.
///
/// Confined to the loop's thread. Sinks attach to its ``hub`` as to that of any station.
package final class MediaStation {
    package let hub: StreamHub
    /// Hears of items that cannot be played: the name and the reason.
    package var onSkip: ((_ item: String, _ reason: String) -> Void)?

    private let reactor: any Reactor
    private var source: PacedSource?

    /// `ahead` is how much audio is there at once at the start; delivery stays ahead of real time by as much.
    package init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool = false, ahead: Duration = .zero, reactor: any Reactor
    ) {
        hub = StreamHub()
        self.reactor = reactor
        source = PacedSource(items, repeats: repeats, ahead: ahead, reactor: reactor, delegate: self)
        hub.announce(info)
    }

    package func start() {
        source?.start()
    }

    /// Stops; sinks hear that the programme is over.
    package func stop() {
        guard let source else { return }
        source.stop()
        self.source = nil
        hub.end(nil)
    }
}

extension MediaStation: PacedSourceDelegate {
    package func source(_ source: PacedSource, began format: StreamFormat) {
        hub.begin(format)
        hub.mark(.firstJoin)
        hub.setAirTime(AirTime(origin: reactor.wallNow, sampleRate: format.sampleRate, isSettled: true))
    }

    package func source(_ source: PacedSource, played frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        hub.append(bytes, samples: frame.samples, backReference: frame.backReference)
    }

    package func source(_ source: PacedSource, title: String) {
        hub.setTitle(title)
    }

    package func sourceResynced(_ source: PacedSource) {
        hub.mark(.resync)
    }

    package func source(_ source: PacedSource, skipped item: String, because reason: String) {
        onSkip?(item, reason)
    }

    package func sourceCaughtUp(_ source: PacedSource) {
        hub.flush()
    }

    package func source(_ source: PacedSource, endedWith failure: Failure?) {
        self.source = nil
        hub.end(failure)
    }
}
