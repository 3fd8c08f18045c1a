// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

// What is a file, and what only looked like one.
extension Station {
    /// Whether a body that ended properly was a whole file: it was taken for one from the start, or it is all that the
    /// head announced and came faster than it plays. Where the head announced no length, the station's very first
    /// connection has to have brought more than any burst. What was heard as a live station before is none.
    func isWholeFile(_ line: Line, _ now: MonotonicInstant) -> Bool {
        guard settings.allowsFinite, first === line, line.joint.frames > 0 else { return false }
        if line.upstream.isResumable { return true }
        guard evidence.mayBeWholeFile, line.pace.isFast(now) else { return false }
        return line.upstream.isWhole
            || line.upstream.mayEndAnywhere && line.pace.isBeyondBurst && machine.reconnects == 0
    }

    /// A whole file has come. The frames that a second connection holds are in it already.
    func finish() -> ConnectionMachine.Action {
        (left, remnant) = ([], nil)
        closeHedge()
        return machine.finished()
    }

    /// What was taken for a file is a station: it broke off, and did not go on where it was.
    func turnOutLive(_ now: MonotonicInstant) {
        if var info = hub.info {
            info.kind = .live
            hub.announce(info)
        }
        if !pausers.isEmpty {
            pausers = []
            machine.paused(false, now)
            first?.upstream.resume()
        }
        machine.turnsOutLive()
        guard let old = evidence.takeBreak(), outage == nil else { return }
        outage = Outage(old.failure, edge: old.at, held: .zero, clocks: reactor.readClocks())
    }
}
