// SPDX-License-Identifier: MIT

import CLinux
package import EventLoop
import Glibc
import Instants

/// Reports that an interface, address or route has come or gone, according to the kernel (rtnetlink(7)), so that
/// waiting connections can be tried at once. Ends with the object, or with ``close()``.
///
/// Combines all changes within 200 ms into one event, reported at the end of that time: the address and the route
/// follow the link some milliseconds later, and an attempt before that is useless. Changes of loopback are ignored. An
/// event says only that something has changed, which may just be a scan of wireless networks.
package final class NetworkChanges {
    private var socket: OwnedDescriptor?
    private var timer: (any ReactorTimer)?
    private let reactor: any Reactor

    private static let gathering = Duration.milliseconds(200)
    /// Only the beginning of each datagram is read; the kernel sends one message in each.
    private static let bufferSize = 4096
    /// The maximum number of datagrams per turn; the rest waits for the next turn.
    private static let mostAtOnce = 64

    /// Starts listening. Returns nil if the kernel or a sandbox does not allow it: then there are no events, and
    /// waiting connections are tried at their usual times.
    package convenience init?(reactor: any Reactor, onChange: @escaping () -> Void) {
        let descriptor = ac_open_route_changes()
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor, reactor: reactor, onChange: onChange)
    }

    /// Listens on an existing non-blocking descriptor, and takes ownership of it.
    init(descriptor: CInt, reactor: any Reactor, onChange: @escaping () -> Void) {
        self.reactor = reactor
        timer = reactor.makeTimer(onChange)
        socket = OwnedDescriptor(descriptor, reactor: reactor) { [unowned self] in read($0) }
    }

    /// Ends the events. Idempotent.
    package func close() {
        socket = nil
        timer?.cancel()
        timer = nil
    }

    private func read(_ descriptor: CInt) {
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
            for _ in 0..<Self.mostAtOnce {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                guard count > 0 else { return failed(count == 0 ? 0 : errno) }
                if RouteMessages.tellOfChange(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { changed() }
            }
        }
    }

    private func failed(_ error: CInt) {
        switch error {
        case EAGAIN, EINTR: return
        // The kernel's buffer overflowed, and the lost messages reported changes.
        case ENOBUFS: changed()
        // Unexpected on such a socket; watching it further would spin.
        default: close()
        }
    }

    private func changed() {
        guard let timer, !timer.isArmed else { return }
        timer.arm(at: reactor.now + Self.gathering)
    }
}
