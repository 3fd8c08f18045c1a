// SPDX-License-Identifier: MIT

package import EventLoop
import EventLoopTesting
import Glibc
package import Instants

/// A reactor with virtual time and real sockets that runs on the test's own thread: a ``ManualReactor`` that uses
/// `poll(2)` to find ready sockets.
///
/// Handlers run only within ``pump(until:)``, ``advance(by:)``, ``ask(_:port:)`` and ``drain()``. So a test of a server
/// and its clients needs neither threads nor sleeps, and a timeout of ten seconds elapses at once.
package final class PolledReactor: Reactor {
    private let manual = ManualReactor()
    private var descriptors: Set<CInt> = []
    private var clients: [LoopbackClient] = []
    /// How often timers have fired.
    package private(set) var timersFired = 0

    /// The real time, in seconds, after which ``pump(until:)`` gives up.
    private static let patience: Int = 30

    package init() {}

    package var now: MonotonicInstant { manual.now }
    package var wallNow: WallInstant { manual.wallNow }

    /// Sets the wall clock.
    package func stepWall(to instant: WallInstant) { manual.stepWall(to: instant) }
    package var inbox: Inbox { manual.inbox }

    /// Calls the handlers of ready sockets repeatedly until the condition holds; false if it does not hold within 30 s.
    @discardableResult
    package func pump(until condition: () -> Bool) -> Bool {
        var began = timespec()
        clock_gettime(CLOCK_MONOTONIC, &began)
        while !condition() {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            guard now.tv_sec - began.tv_sec < Self.patience else { return false }
            turn(waitingMilliseconds: 1)
        }
        return true
    }

    /// Connects a client to a server on this reactor. The client stays connected until it is closed or the reactor is
    /// released, even if the test does not use it any more.
    package func connect(port: UInt16, isIPv6: Bool = false, receiveBuffer: CInt? = nil) -> LoopbackClient {
        let client = LoopbackClient(port: port, isIPv6: isIPv6, receiveBuffer: receiveBuffer)
        clients.append(client)
        return client
    }

    /// Sends a request to a server on this reactor and shuts down the sending side. Returns the client once the server
    /// has closed, or after 30 s.
    package func ask(_ request: String, port: UInt16) -> LoopbackClient {
        let client = LoopbackClient(port: port)
        ask(request, through: client)
        return client
    }

    /// Sends a request through a connection that exists already; see ``ask(_:port:)``.
    package func ask(_ request: String, through client: LoopbackClient) {
        client.send(request)
        client.finishSending()
        pump { client.collect().end != nil }
    }

    /// Calls the handlers of ready sockets until no socket is ready.
    package func drain() {
        var turns = 0
        while turn(waitingMilliseconds: 0), turns < 10_000 { turns += 1 }
    }

    /// Advances virtual time; see ``ManualReactor/advance(by:)``.
    package func advance(by duration: Duration) { manual.advance(by: duration) }

    /// Advances virtual time in one turn; see ``ManualReactor/standStill(for:)``.
    package func standStill(for duration: Duration) { manual.standStill(for: duration) }

    @discardableResult
    private func turn(waitingMilliseconds: CInt) -> Bool {
        descriptors = descriptors.filter { !manual.interest(in: $0).isEmpty || isOpen($0) }
        var entries = descriptors.sorted().compactMap { descriptor -> pollfd? in
            let interest = manual.interest(in: descriptor)
            guard !interest.isEmpty else { return nil }
            let events = (interest.contains(.read) ? POLLIN : 0) | (interest.contains(.write) ? POLLOUT : 0)
            return pollfd(fd: descriptor, events: Int16(events), revents: 0)
        }
        guard poll(&entries, nfds_t(entries.count), waitingMilliseconds) > 0 else {
            manual.settle()
            return false
        }
        var wasCalled = false
        for entry in entries where entry.revents != 0 {
            var readiness = Readiness()
            if CInt(entry.revents) & (POLLIN | POLLHUP | POLLERR) != 0 { readiness.insert(.read) }
            if CInt(entry.revents) & (POLLOUT | POLLHUP | POLLERR) != 0 { readiness.insert(.write) }
            wasCalled = manual.makeReady(entry.fd, readiness) || wasCalled
        }
        return wasCalled
    }

    private func isOpen(_ descriptor: CInt) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    // MARK: Reactor

    package func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer {
        manual.makeTimer { [unowned self] in
            timersFired += 1
            handler()
        }
    }

    package func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        descriptors.insert(descriptor)
        return manual.watch(descriptor, handler)
    }

    package func `defer`(_ handler: @escaping () -> Void) {
        manual.defer(handler)
    }

    package func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        manual.watchSignal(number, handler)
    }
}
