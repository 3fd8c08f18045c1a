// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// A TCP relay on a loopback port that disturbs each connection after a fixed time, for use between a client and a
/// server without faults.
///
/// Each connection has a thread of its own. All end when the object is released.
package final class TroubledRelay: Sendable {
    /// The way in which a connection is disturbed, as seen by the client.
    package enum Effect: Sendable {
        /// The connection is closed with FIN.
        case close
        /// The connection is closed with RST.
        case reset
        /// The connection stays open, but nothing more arrives.
        case stall
    }

    package let port: Int
    private let target: Int
    private let life: Duration
    private let effect: Effect
    private let stopping = Gate()
    private let counts = Watched((accepts: 0, faults: 0))

    /// Relays to a port of this machine. Each connection is disturbed when `life` has passed since its accept.
    package init(to target: Int, after life: Duration, _ effect: Effect) throws {
        let listener = try Loopback.listen(port: 0)
        port = try Loopback.port(of: listener)
        (self.target, self.life, self.effect) = (target, life, effect)
        let run = Run(target: target, life: life, effect: effect, stop: stopping, counts: counts)
        startThread("test-relay") { run.accept(listener) }
    }

    deinit { stopping.open() }

    /// The number of connections so far.
    package var accepts: Int { counts.value.accepts }
    /// The number of connections disturbed so far.
    package var faults: Int { counts.value.faults }

    /// The state that the threads share. It is separate from the relay because the threads may outlive the relay for a
    /// moment.
    private struct Run: Sendable {
        let target: Int
        let life: Duration
        let effect: Effect
        let stop: Gate
        let counts: Watched<(accepts: Int, faults: Int)>

        func accept(_ listener: CInt) {
            defer { Loopback.close(listener) }
            while wait(for: [listener], until: nil) != nil {
                let client = Glibc.accept(listener, nil, nil)
                guard client >= 0 else { continue }
                closeOnExec(client)
                counts.change { $0.accepts += 1 }
                startThread("test-relayed") { relay(client) }
            }
        }

        private func relay(_ client: CInt) {
            defer { Loopback.close(client) }
            guard let server = try? Loopback.connect(port: target) else { return }
            defer { Loopback.close(server) }
            let end = MonotonicInstant.now + life
            while true {
                guard let ready = wait(for: [client, server], until: end) else { return }
                guard let source = ready.first else { return harm(client) }
                guard pass(from: source, to: source == client ? server : client) else { return }
            }
        }

        /// Forwards the available bytes; false at the end of the stream.
        private func pass(from source: CInt, to sink: CInt) -> Bool {
            guard let bytes = try? Loopback.receive(from: source, by: Deadline(after: .seconds(1))), !bytes.isEmpty
            else { return false }
            return (try? Loopback.send(bytes, to: sink)) != nil
        }

        private func harm(_ client: CInt) {
            counts.change { $0.faults += 1 }
            switch effect {
            case .close: break
            case .reset: OriginSocket(client, stop: stop).prepareReset()
            case .stall: while wait(for: [client], until: nil)?.isEmpty == false, pass(from: client) {}
            }
        }

        /// Receives and discards the client's bytes. Returns false once the client has disconnected.
        private func pass(from client: CInt) -> Bool {
            (try? Loopback.receive(from: client, by: Deadline(after: .seconds(1)))).map { $0 != [] } ?? false
        }

        /// The readable descriptors. The result is empty once `instant` is reached, and nil when the relay is being
        /// stopped.
        private func wait(for descriptors: [CInt], until instant: MonotonicInstant?) -> [CInt]? {
            var watched = ([stop.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while true {
                let limit = instant.map { Deadline(after: $0 - .now).milliseconds }
                if limit == 0 { return [] }
                let count = poll(&watched, nfds_t(watched.count), limit ?? -1)
                if count < 0 { continue }
                if watched[0].revents != 0 { return nil }
                return watched.dropFirst().filter { $0.revents != 0 }.map(\.fd)
            }
        }
    }
}
