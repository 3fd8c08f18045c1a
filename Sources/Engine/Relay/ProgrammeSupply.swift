// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Relay
import Stations

/// Sees to it that a mount has a programme: always, or only while somebody wants to listen. Confined to the loop's
/// thread.
///
/// An on-demand programme is made anew each time, so that it begins with what is on the air then.
final class ProgrammeSupply {
    /// The programme is over: after ``stop()``, or because it ended by itself. Once, and never for the rest of one that
    /// was let go of.
    var onEnd: ((Failure?) -> Void)?
    /// An on-demand programme begins, or is let go of.
    var onWanted: ((Bool) -> Void)?
    /// An on-demand programme has ended by itself. Who asks next has it tried again, a little later each time.
    var onFailure: ((Failure) -> Void)?

    private let make: () -> any RelayedProgramme
    private let mount: Mount
    private let reactor: any Reactor
    private let linger: Duration
    private var programme: (any RelayedProgramme)?
    private var endSink: EndSink?
    private var lingerTimer: (any ReactorTimer)?
    private var retryTimer: (any ReactorTimer)?
    private var past = (reconnects: 0, hedges: 0)
    private var isStopping = false
    /// The programme has ended by itself, and listeners get the last of it.
    private var isBeingHeard = false
    /// How long an on-demand programme is not tried again when it fails the next time.
    private var backoff = shortestBackoff

    private static let shortestBackoff = Duration.seconds(2)
    private static let longestBackoff = Duration.seconds(60)
    /// Where a person has to do something first.
    private static let backoffForPerson = Duration.seconds(300)

    init(
        for mount: Mount, linger: Duration, reactor: any Reactor, make: @escaping () -> any RelayedProgramme
    ) {
        self.mount = mount
        self.linger = linger
        self.reactor = reactor
        self.make = make
        lingerTimer = reactor.makeTimer { [unowned self] in letGo() }
        retryTimer = reactor.makeTimer { [unowned self] in beginIfWanted() }
    }

    func start() {
        guard mount.settings.isOnDemand else { return begin() }
        mount.onWanted = { [unowned self] isWanted in wanted(isWanted) }
    }

    /// Asks for the end; ``onEnd`` tells it, perhaps at once.
    func stop() {
        isStopping = true
        lingerTimer?.cancel()
        retryTimer?.cancel()
        guard let programme, !isBeingHeard else { return onEnd?(nil) ?? () }
        programme.stop()
    }

    func networkChanged() { programme?.networkChanged() }

    func clockStepped() { programme?.clockStepped() }

    /// Of all programmes so far.
    var connections: (reconnects: Int, hedges: Int) {
        guard let now = programme?.connections else { return past }
        return (past.reconnects + now.reconnects, past.hedges + now.hedges)
    }

    private func begin() {
        let programme = make()
        self.programme = programme
        let endSink = EndSink { [weak self, weak programme] failure in
            if let programme { self?.ended(programme, failure) }
        }
        self.endSink = endSink
        // Hears of the end first, so that the mount can say for how long it rests.
        programme.hub.attach(endSink)
        mount.tune(to: programme.hub)
        programme.start()
    }

    private func ended(_ programme: any RelayedProgramme, _ failure: Failure?) {
        guard programme === self.programme else { return }
        guard mount.settings.isOnDemand, !isStopping else { return onEnd?(failure) ?? () }
        if let failure { backOff(programme, failure) }
        isBeingHeard = true
        mount.whenHeard { [self] in
            // The programme speaks from inside its own end.
            reactor.defer { [self] in
                drop()
                beginIfWanted()
            }
        }
    }

    private func backOff(_ programme: any RelayedProgramme, _ failure: Failure) {
        onFailure?(failure)
        // A programme that was heard is as good as new.
        if programme.hub.hasAudio { backoff = Self.shortestBackoff }
        mount.restsUntil = reactor.now + (failure.failureClass.needsPerson ? Self.backoffForPerson : backoff)
        backoff = min(backoff * 2, Self.longestBackoff)
    }

    private func wanted(_ isWanted: Bool) {
        guard !isStopping else { return }
        guard isWanted else {
            lingerTimer?.arm(at: reactor.now + linger)
            return
        }
        lingerTimer?.cancel()
        guard programme == nil else { return }
        onWanted?(true)
        // Whoever wants it is being answered just now.
        reactor.defer { [self] in beginIfWanted() }
    }

    /// Begins, or does so when it has rested: clients that wait for a station that has failed hear the fallback.
    private func beginIfWanted() {
        guard programme == nil, !isStopping, mount.settings.isOnDemand, mount.isWanted else { return }
        if let rest = mount.restsUntil, rest > reactor.now { return retryTimer?.arm(at: rest) ?? () }
        begin()
    }

    private func letGo() {
        guard let programme else { return }
        drop()
        programme.stop()
        onWanted?(false)
    }

    private func drop() {
        past = connections
        programme = nil
        isBeingHeard = false
        endSink = nil
        mount.detune()
    }
}

/// Hears of a programme's end, and of nothing else.
private final class EndSink: StreamSink {
    private let onEnd: (Failure?) -> Void

    init(_ onEnd: @escaping (Failure?) -> Void) {
        self.onEnd = onEnd
    }

    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        if case .ended(let failure) = event { onEnd(failure) }
    }
}
