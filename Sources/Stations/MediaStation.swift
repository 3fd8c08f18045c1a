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
    package var onNotice: ((StationNotice) -> Void)?
    /// Nothing is asked for.
    package var requestFields: () -> [StationSettings.Header] = { [] }
    private let reactor: any Reactor
    private let info: StationInfo
    /// Set once, in ``start()``.
    private var source: PacedSource?
    private let material: Material
    private let ahead: Duration
    private let feed: ProgrammeFeed
    private var clock = EdgeClock()

    private enum Material {
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

    private init(_ material: Material, info: StationInfo, ahead: Duration, reactor: any Reactor) {
        self.material = material
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
        switch material {
        case .memory(let items, let repeats): MemoryFeed(items, repeats: repeats)
        case .plan(let plan): try ReaderThread(plan)
        }
    }
}

extension MediaStation: Programme {
    package var snapshot: StationSnapshot {
        StationSnapshot(
            activity: hub.hasEnded ? .stopped : (hub.hasAudio ? .delivering : .awaitingAudio), info: hub.info,
            position: hub.position, title: hub.title?.text, isDelivering: hub.hasAudio && !hub.hasEnded)
    }

    package func leave(_ sink: any StreamSink) { hub.leave(sink) }

    /// Nothing is downloaded faster than it plays.
    package func pause(for sink: any StreamSink) {}
    package func resume(for sink: any StreamSink) {}
    /// Files know neither network nor certificates.
    package func networkChanged() {}
    package func clockStepped() {}
}

extension MediaStation: PacedSourceDelegate {
    package func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        let isFirst = hub.ring.format == nil
        feed.take(part, bytes)
        if isFirst { hub.mark(.firstJoin) }
    }

    package func source(_ source: PacedSource, skipped item: String, because reason: String) {
        onNotice?(.skipped(item: item, reason: reason))
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
