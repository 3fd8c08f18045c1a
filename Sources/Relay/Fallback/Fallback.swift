// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
package import RadioFormats
package import Stations

/// Another programme for players to hear while a mount's own is away. Confined to the loop's thread.
///
/// Its owner has it run while it is wanted, and tunes it to the programme that then plays. Who changes over to it, and
/// when, is in `Mount+Fallback.swift`.
package final class Fallback {
    /// What is worth a line in the log.
    package enum Notice: Hashable, Sendable {
        /// It is wanted, and begins.
        case began
        /// Nobody wants it any more.
        case ended
        /// It has ended by itself, or cannot even begin; it is tried again a little later.
        case failed(Failure?)
        /// Players of the station cannot change over to it.
        case otherCodec(Codec, station: Codec)
    }

    package var onNotice: ((Notice) -> Void)?
    /// Called when somebody will soon want to hear it, and when nobody does any more.
    package var onWanted: ((Bool) -> Void)?
    /// Called when audio of it has come.
    var onAudio: (() -> Void)?

    private let reactor: any Reactor
    private let depth: Duration
    private let serial: UInt32
    private var isWanted = false
    private var feed: Feed?
    private var neededUntil: MonotonicInstant
    private var restsUntil: MonotonicInstant
    private var timer: (any ReactorTimer)?

    /// For how long it runs on when nobody listens to it.
    private static let linger = Duration.seconds(10)
    /// After it has ended by itself.
    private static let rest = Duration.seconds(10)
    /// After it was found to be of no use.
    private static let longRest = Duration.seconds(600)

    /// For a mount with such settings. `serial` is any number but the mount's, for the logical streams of Ogg.
    package init(for settings: MountSettings, reactor: any Reactor, serial: UInt32) {
        self.reactor = reactor
        self.serial = serial
        depth = settings.ringDepth
        neededUntil = reactor.now
        restsUntil = reactor.now
        timer = reactor.makeTimer { [unowned self] in check() }
    }

    /// What plays, or played last; nil where nothing does.
    var wire: Wire? { feed?.wire }

    /// How many listen to it.
    var listenerCount: Int { wire?.listenerCount ?? 0 }

    /// What plays now and can be heard by players of a codec; nil stands for any.
    func wire(for codec: Codec?) -> Wire? {
        let now = reactor.now
        guard now >= restsUntil, let wire, wire.hasAudio, !wire.outage.isAway(now), let own = wire.format?.codec else {
            return nil
        }
        guard let codec, own != codec else { return wire }
        onNotice?(.otherCodec(own, station: codec))
        rest(for: Self.longRest)
        return nil
    }

    /// Somebody would hear it now, or soon: it runs from now on, until that is long past.
    func want() {
        let now = reactor.now
        neededUntil = now + Self.linger
        guard !isWanted, now >= restsUntil else { return }
        isWanted = true
        onNotice?(.began)
        timer?.arm(at: neededUntil)
        // Whoever wants it is in the middle of something, and it may end at once.
        reactor.defer { [weak self] in
            if let self, isWanted { onWanted?(true) }
        }
    }

    /// Ends it; nothing is told.
    func close() {
        timer?.cancel()
        feed?.close()
        feed = nil
        guard isWanted else { return }
        isWanted = false
        onWanted?(false)
    }

    /// Plays the programme of this hub while it is wanted.
    package func tune(to hub: StreamHub) {
        guard isWanted else { return }
        feed?.close()
        let feed = Feed(hub, depth: depth, serial: serial, reactor: reactor)
        feed.onAudio = { [unowned self] in onAudio?() }
        feed.onEnd = { [unowned self] failure in
            onNotice?(.failed(failure))
            rest(for: Self.rest)
        }
        self.feed = feed
        feed.start()
    }

    private func rest(for time: Duration) {
        restsUntil = reactor.now + time
        // It may be what speaks just now.
        let old = feed
        reactor.defer { [weak self] in
            if let self, old === feed { close() }
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
