// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import MediaSources
package import RadioCore

/// A station fed by files, standard input or items in memory instead of a connection, played in sequence in real time.
/// Confined to the loop's thread.
///
/// Sinks cannot distinguish it from any other live station.
package final class MediaStation {
    package let hub: StreamHub
    package var onNotice: ((StationNotice) -> Void)?
    /// Unused: nothing is requested.
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

    /// Plays items from memory. `ahead`: how much audio is in the ring from the start, for the first listener's burst.
    package convenience init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool, ahead: Duration, reactor: any Reactor
    ) {
        self.init(.memory(items, repeats: repeats), info: info, ahead: ahead, reactor: reactor)
    }

    /// Plays files or standard input, which a separate thread reads.
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
            of: hub, activity: hub.hasEnded ? .stopped : (hub.hasAudio ? .delivering : .awaitingAudio),
            isDelivering: hub.hasAudio && !hub.hasEnded)
    }

    package func leave(_ sink: any StreamSink) { hub.leave(sink) }

    /// Does nothing: the source never runs faster than real time.
    package func pause(for sink: any StreamSink) {}
    package func resume(for sink: any StreamSink) {}
    /// Irrelevant to files.
    package func networkChanged() {}
    package func clockStepped() {}
}

extension MediaStation: PacedSourceDelegate {
    package func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        let isFirst = hub.ring.format == nil
        feed.take(part, bytes)
        if isFirst { hub.report(.firstJoin) }
    }

    package func source(_ source: PacedSource, skipped item: String, because reason: String) {
        onNotice?(.skipped(item: item, reason: reason))
    }

    package func source(_ source: PacedSource, leftOut bytes: Int64, of item: String) {
        onNotice?(.attachmentsLeftOut(bytes: bytes, of: item))
    }

    package func sourceCaughtUp(_ source: PacedSource) {
        let clocks = reactor.readClocks()
        clock.arrived(from: .zero, upTo: feed.end, now: clocks.now)
        feed.arrived(clock, at: feed.end, clocks.now, clocks.wall)
        hub.flush()
    }

    package func source(_ source: PacedSource, endedWith failure: Failure?) {
        hub.end(failure)
    }
}
