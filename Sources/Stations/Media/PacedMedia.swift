// SPDX-License-Identifier: MIT

package import EventLoop
package import MediaSources
package import RadioCore

/// Files, standard input or items in memory, played in sequence in real time. Sinks cannot distinguish them from a
/// station.
final class PacedMedia {
    private let open: () throws(Failure) -> any StepSource
    private let info: StationInfo
    private let ahead: Duration
    private let reactor: any Reactor
    private let trunk: Trunk
    /// Set once, in ``begin()``.
    private var pacer: PacedSource?
    private var clock = EdgeClock()

    fileprivate init(
        _ info: StationInfo, ahead: Duration, _ reactor: any Reactor, into trunk: Trunk,
        _ open: @escaping () throws(Failure) -> any StepSource
    ) {
        (self.info, self.ahead, self.reactor, self.trunk, self.open) = (info, ahead, reactor, trunk, open)
    }
}

extension Programme {
    /// Plays items from memory. `ahead`: how much audio is in the ring from the start, for the first listener's burst.
    package convenience init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool, ahead: Duration, reactor: any Reactor
    ) {
        self.init(info, ahead: ahead, reactor) { Playout(items, repeats: repeats) }
    }

    /// Plays files or standard input, which a separate thread reads.
    package convenience init(_ plan: MediaPlan, info: StationInfo, ahead: Duration, reactor: any Reactor) {
        self.init(info, ahead: ahead, reactor) { () throws(Failure) in try ReaderThread(plan, reactor: reactor) }
    }

    private convenience init(
        _ info: StationInfo, ahead: Duration, _ reactor: any Reactor,
        _ open: @escaping () throws(Failure) -> any StepSource
    ) {
        self.init(depth: ahead + .seconds(2), reactor: reactor) {
            PacedMedia(info, ahead: ahead, reactor, into: $0, open)
        }
    }
}

extension PacedMedia: Source {
    func begin() {
        trunk.hub.announce(info)
        do throws(Failure) {
            let pacer = PacedSource(try open(), ahead: ahead, reactor: reactor, delegate: self)
            self.pacer = pacer
            pacer.start()
        } catch {
            trunk.end(error)
        }
    }

    func stop() { pacer?.stop() }
}

extension PacedMedia: PacedSourceDelegate {
    func take(_ part: StreamPart) { trunk.take(part) }
    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) { trunk.take(batch, bytes) }

    func source(_ source: PacedSource, skipped item: String, because reason: String) {
        trunk.onNotice?(.skipped(item: item, reason: reason))
    }

    func source(_ source: PacedSource, leftOut bytes: Int64, of item: String) {
        trunk.onNotice?(.attachmentsLeftOut(bytes: bytes, of: item))
    }

    func sourceCaughtUp(_ source: PacedSource) { trunk.arrived(by: &clock) }

    func source(_ source: PacedSource, endedWith failure: Failure?) { trunk.end(failure) }
}
