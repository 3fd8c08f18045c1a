// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

// What is a file, and what only looked like one.
extension Station {
    /// Whether a body that is over was a file's: what was taken for one from the start, or all that the head announced,
    /// if it came faster than it plays. A station that was heard before is none.
    func isWholeFile(_ line: Line, _ now: MonotonicInstant) -> Bool {
        guard settings.allowsFinite, first === line, line.joint.frames > 0 else { return false }
        if line.upstream.isResumable { return true }
        return line.upstream.isWhole && evidence.mayBeWholeFile && line.pace.isFast(now)
    }

    /// A whole file has come. What a second connection has brought of it came before.
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
