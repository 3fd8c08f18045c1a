// SPDX-License-Identifier: MIT

import CLinux
package import EventLoop
import Glibc
import Instants

/// Hears from the kernel (rtnetlink(7)) that an interface, an address or a route has come or gone, so that whoever
/// waits to connect may try at once. Confined to the loop's thread; ends with the object, or with ``close()``.
///
/// What comes within 200 ms is one event, told at the end of that time: the address and the route follow the link by
/// some milliseconds, and before them there is nothing to be tried. Loopback's own affairs are no event. An event says
/// that something has changed, and no more than that: a wireless network that was scanned is one as well.
package final class NetworkChanges {
    private var socket: OwnedDescriptor?
    private var timer: (any ReactorTimer)?
    private let reactor: any Reactor

    private static let gathering = Duration.milliseconds(200)
    /// Heads are all that is read of a datagram; the kernel sends one message in each.
    private static let bufferSize = 4096
    /// So many datagrams a turn; the rest waits for the next one.
    private static let mostAtOnce = 64

    /// Begins to listen. Nil where the kernel or a sandbox does not allow it: then nobody is told, and what waits
    /// tries again when its time has come.
    package convenience init?(reactor: any Reactor, onChange: @escaping () -> Void) {
        let descriptor = ac_open_route_changes()
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor, reactor: reactor, onChange: onChange)
    }

    /// The same on a non-blocking descriptor that is there already, and is owned from now on.
    init(descriptor: CInt, reactor: any Reactor, onChange: @escaping () -> Void) {
        self.reactor = reactor
        timer = reactor.makeTimer(onChange)
        socket = OwnedDescriptor(descriptor, reactor: reactor) { [unowned self] in read($0) }
    }

    /// Ends it; nothing is told any more. Idempotent.
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
        // More came than the kernel keeps: what was lost was news.
        case ENOBUFS: changed()
        // Nothing that a socket of this kind does; watching on would go in circles.
        default: close()
        }
    }

    private func changed() {
        guard let timer, !timer.isArmed else { return }
        timer.arm(at: reactor.now + Self.gathering)
    }
}
