// SPDX-License-Identifier: MIT

package import EventLoop
package import Instants
import TestTools

/// A server of HLS in virtual time: the answers of an ``HLSScript`` for a ``VirtualOrigin``, and what was requested.
///
///     let (hls, mirror) = (VirtualHLS(script, in: reactor), VirtualHLS(other, in: reactor))
///     let origin = VirtualOrigin(hosts: ["radio.test": hls.live, "mirror.test": mirror.live], reactor: reactor)
package struct VirtualHLS: Sendable {
    package let script: HLSScript
    /// The date at which the programme starts.
    package let epoch: WallInstant
    private let watched = Watched(HLSRecord())

    /// The origin must be made at the same instant.
    package init(_ script: HLSScript, in reactor: any Reactor) {
        self.script = script
        epoch = reactor.readClocks().wall - script.onAir
    }

    /// The requests so far.
    package var record: HLSRecord { watched.value }

    package var live: LiveScript {
        let absences = script.absences.map { absence in
            LiveScript.Absence(absence.from - script.onAir, for: absence.to - absence.from, absence.kind)
        }
        return LiveScript(absences: absences, onAir: script.onAir) { [script, epoch, watched] visit in
            let request = HLSRequest(visit.target, visit.fields)
            let answer = watched.change {
                script.answer(request, at: script.onAir + visit.time, epoch: epoch, &$0)
            }
            return answer.live
        }
    }
}

extension HLSAnswer {
    fileprivate var live: LiveScript.Answer {
        if hangsUp { return .hangUp }
        var head = LiveHead(status, "Scripted")
        head.version = "HTTP/1.1"
        head.fields = fields
        if let location { head.fields.append(("Location", location)) }
        if statesLength, status != 304 { head.fields.append(("Content-Length", "\(body.count)")) }
        let sent = cutAfter.map { Array(body.prefix($0)) } ?? body
        return wait > .zero || over > .zero
            ? .paced(head, body: sent, wait: wait, over: over) : .response(head, body: sent)
    }
}
