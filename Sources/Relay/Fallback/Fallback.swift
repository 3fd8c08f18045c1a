// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
package import RadioFormats
package import Stations

/// A second programme, which players hear while the mount's own programme is unavailable.
///
/// The owner runs the programme while the fallback is wanted, and tunes the fallback to the running programme.
/// `Mount+Fallback.swift` decides which listeners switch to it, and when.
package final class Fallback {
    /// An event worth a log line.
    package enum Notice: Hashable, Sendable {
        /// The fallback is needed, and starts.
        case began
        /// No listener needs the fallback any more.
        case ended
        /// The programme ended by itself, or could not start. It is retried after a short rest.
        case failed(Failure?)
        /// Players of the station cannot switch to the fallback, which is another kind of audio.
        case otherKind(AudioKind, station: AudioKind)
    }

    package var onNotice: ((Notice) -> Void)?
    /// Called with true when a listener will soon need the programme, and with false when no listener needs it.
    package var onWanted: ((Bool) -> Void)?
    /// Called when audio of the fallback has arrived.
    var onAudio: (() -> Void)?

    private let reactor: any Reactor
    private let settings: MountSettings
    private let serial: UInt32
    private var isWanted = false
    private var sink: MountSink?
    private var neededUntil: MonotonicInstant
    private var restsUntil: MonotonicInstant
    private var timer: (any ReactorTimer)?

    /// How long the programme keeps running without listeners.
    private static let linger = Duration.seconds(10)
    /// How long to rest after the programme has ended by itself.
    private static let rest = Duration.seconds(10)
    /// How long to rest after the programme turned out to be another kind of audio than the station.
    private static let longRest = Duration.seconds(600)

    /// Creates the fallback of a mount with these settings. `serial`: any number except the mount's own, for the
    /// logical streams of Ogg.
    package init(for settings: MountSettings, reactor: any Reactor, serial: UInt32) {
        self.reactor = reactor
        self.serial = serial
        self.settings = settings
        neededUntil = reactor.now
        restsUntil = reactor.now
        timer = reactor.makeTimer { [unowned self] in check() }
    }

    /// The output stream of the present or last programme; nil if there is none.
    var stream: ListenerStream? { sink?.stream }

    /// The number of listeners that are sent the fallback.
    var listenerCount: Int { stream?.listenerCount ?? 0 }

    /// The output stream if it has audio now and its kind is `kind`; nil accepts any kind.
    func stream(for kind: AudioKind?) -> ListenerStream? {
        guard let stream = audibleStream, let own = stream.format?.kind else { return nil }
        guard let kind, own != kind else { return stream }
        onNotice?(.otherKind(own, station: kind))
        rest(for: Self.longRest)
        return nil
    }

    /// Whether players of this kind of audio can be sent the fallback now; nil stands for any kind.
    func plays(_ kind: AudioKind?) -> Bool {
        guard let own = audibleStream?.format?.kind else { return false }
        return kind == nil || own == kind
    }

    /// The title of the fallback's programme.
    var title: String? { sink?.hub.title?.text }

    private var audibleStream: ListenerStream? {
        let now = reactor.now
        guard now >= restsUntil, let stream, stream.hasAudio, !stream.outage.isAway(now) else { return nil }
        return stream
    }

    /// Keeps the programme for a listener who needs the fallback now or soon. Starts it unless it is resting or
    /// running.
    func want() {
        let now = reactor.now
        neededUntil = now + Self.linger
        guard !isWanted, now >= restsUntil else { return }
        isWanted = true
        onNotice?(.began)
        timer?.arm(at: neededUntil)
        // Deferred, because the programme may end at once, before the caller has finished.
        reactor.defer { [weak self] in
            if let self, isWanted { onWanted?(true) }
        }
    }

    /// Ends the fallback without a notice.
    func close() {
        timer?.cancel()
        sink?.close()
        sink = nil
        guard isWanted else { return }
        isWanted = false
        onWanted?(false)
    }

    /// Plays the programme of this hub while the fallback is wanted.
    package func tune(to hub: StreamHub) {
        guard isWanted else { return }
        sink?.close()
        let sink = MountSink(hub, settings, serial: serial, reactor: reactor)
        sink.onAudio = { [unowned self] in onAudio?() }
        sink.onEnd = { [unowned self] failure in
            onNotice?(.failed(failure))
            rest(for: Self.rest)
        }
        self.sink = sink
        sink.start()
    }

    private func rest(for time: Duration) {
        restsUntil = reactor.now + time
        // Deferred, because the sink may be the caller.
        let old = sink
        reactor.defer { [weak self] in
            if let self, old === sink { close() }
        }
    }

    private func check() {
        guard isWanted else { return }
        if listenerCount > 0 { neededUntil = reactor.now + Self.linger }
        guard reactor.now >= neededUntil else { return timer?.arm(at: neededUntil) ?? () }
        close()
        onNotice?(.ended)
    }
}
