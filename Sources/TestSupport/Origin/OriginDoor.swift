// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// The port of a ``ScriptedOrigin``. The script says when the port accepts, refuses or resets connections.
struct OriginDoor {
    let port: Int
    let script: any ConnectionScript
    let began: MonotonicInstant
    let stop: Gate

    /// Accepts connections until the origin is stopped. During an absence it may not listen. Blocks.
    func run(_ listener: CInt?, _ take: (CInt, MonotonicInstant) -> Void) {
        var listener = listener
        while true {
            let time = MonotonicInstant.now - began
            let isDeaf = script.absence(at: time)?.isDeaf == true
            if isDeaf, let open = listener {
                Loopback.close(open)
                listener = nil
            } else if !isDeaf, listener == nil {
                // If this fails, it is tried again later: although the port is reserved, a recent connection may still
                // prevent the call from succeeding.
                listener = try? Loopback.listen(port: port)
            }
            let change = listener == nil && !isDeaf ? time + .milliseconds(5) : script.nextChange(after: time)
            var watched = [stop.descriptor, listener ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let limit = change.map { Deadline(after: $0 - time).milliseconds } ?? -1
            guard poll(&watched, 2, limit) > 0 else { continue }
            if watched[0].revents != 0 { break }
            guard let listener, let descriptor = accept(listener) else { continue }
            let accepted = MonotonicInstant.now
            // The connection was queued when the absence began, or arrived just after.
            guard script.absence(at: accepted - began)?.isDeaf != true else {
                refuse(descriptor)
                continue
            }
            take(descriptor, accepted)
        }
        if let listener { Loopback.close(listener) }
    }

    /// Resets the connection, which is the closest substitute for a refusal.
    private func refuse(_ descriptor: CInt) {
        OriginSocket(descriptor, stop: stop).prepareReset()
        Loopback.close(descriptor)
    }

    private func accept(_ listener: CInt) -> CInt? {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        closeOnExec(descriptor)
        var yes: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        return descriptor
    }
}
