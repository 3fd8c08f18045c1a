// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import MediaSources
package import RadioCore

/// A station of our own: files, standard input or items in memory, one after the other in real time, instead of a
/// connection. Confined to the loop's thread.
///
/// Its sinks cannot tell it from any other live station.
package final class MediaStation {
    package let hub: StreamHub
    /// Called when an item, or the rest of it, is not played, with the reason; once for each item.
    package var onSkip: ((_ item: String, _ reason: String) -> Void)?
    private let reactor: any Reactor
    private let info: StationInfo
    /// Set once, in ``start()``.
    private var source: PacedSource?
    private let programme: Programme
    private let ahead: Duration
    private let feed: ProgrammeFeed
    private var clock = EdgeClock()

    private enum Programme {
        case memory([MediaItem], repeats: Bool)
        case plan(MediaPlan)
    }

    /// Plays what is in memory. `ahead` of audio is in the ring from the start, for the burst of the first listener.
    package convenience init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool, ahead: Duration, reactor: any Reactor
    ) {
        self.init(.memory(items, repeats: repeats), info: info, ahead: ahead, reactor: reactor)
    }

    /// Plays files or standard input; a thread of its own reads them.
    package convenience init(_ plan: MediaPlan, info: StationInfo, ahead: Duration, reactor: any Reactor) {
        self.init(.plan(plan), info: info, ahead: ahead, reactor: reactor)
    }

    private init(_ programme: Programme, info: StationInfo, ahead: Duration, reactor: any Reactor) {
        self.programme = programme
        self.info = info
        self.ahead = ahead
        self.reactor = reactor
        hub = StreamHub(depth: ahead + .seconds(2))
        feed = ProgrammeFeed(hub: hub)
    }

    package func start() {
        guard source == nil else { return }
        hub.announce(info)
        do throws(Failure) {
            let source = PacedSource(try makeFeed(), ahead: ahead, reactor: reactor, delegate: self)
            self.source = source
            source.start()
        } catch {
            hub.end(error)
        }
    }

    package func stop() {
        source?.stop()
        hub.end(nil)
    }

    private func makeFeed() throws(Failure) -> any PlayoutFeed {
        switch programme {
        case .memory(let items, let repeats): MemoryFeed(items, repeats: repeats)
        case .plan(let plan): try ReaderThread(plan)
        }
    }
}

extension MediaStation: PacedSourceDelegate {
    package func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        let isFirst = hub.ring.format == nil
        feed.take(part, bytes)
        if isFirst { hub.mark(.firstJoin) }
    }

    package func source(_ source: PacedSource, skipped item: String, because reason: String) {
        onSkip?(item, reason)
    }

    package func sourceCaughtUp(_ source: PacedSource) {
        let (now, wall) = reactor.readClocks()
        clock.arrived(from: .zero, upTo: feed.end, now: now)
        feed.arrived(clock, at: feed.end, now, wall)
        hub.flush()
    }

    package func source(_ source: PacedSource, endedWith failure: Failure?) {
        hub.end(failure)
    }
}
