// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// A source that receives a station from its addresses.
protocol StationSource: Source {
    var run: StationRun { get }
    /// The connection whose frames are delivered; nil if there is none.
    var connection: StationConnection? { get }
    /// The time at which a decision may become possible although nothing has arrived.
    var deadline: MonotonicInstant? { get }
    /// Carries out an action of the machine. One delivery may lead to several actions, and the caller arms the timer
    /// once.
    func carryOut(_ action: ConnectionMachine.Action)
    func timerFired()
}

extension StationSource {
    func stop() {
        run.noteMissing()
        run.perform(run.machine.requestStop())
    }

    var openGap: Gap? { run.openGap }

    /// Retries unreachable addresses at once.
    func networkChanged() { run.perform(run.machine.networkChanged(run.reactor.now)) }

    /// Retries, because a certificate may be valid by the new date.
    func clockStepped() { run.perform(run.machine.clockStepped(run.reactor.now)) }

    var reached: StationSettings? {
        connection?.upstream.reached.map { run.addresses.settings(run.settings, reaching: $0) }
    }

    func describe(in snapshot: inout StationSnapshot) { run.describe(in: &snapshot, connection) }

    func pause() {
        connection?.pause()
        run.machine.paused(true, run.reactor.now)
    }

    func resume() {
        run.machine.paused(false, run.reactor.now)
        connection?.upstream.resume()
        run.armTimer()
    }
}
