// SPDX-License-Identifier: MIT

import HTTPServer
import Relay
import TestSupport
import Testing

/// A mount on a real socket, in virtual time. It closes with the rig.
class MountRig {
    let reactor: PolledReactor
    let service: HTTPService
    let mount: Mount
    let port: UInt16

    init(settings: MountSettings = MountSettings(), limits: HTTPLimits = HTTPLimits()) throws {
        reactor = PolledReactor()
        service = HTTPService(reactor: reactor, limits: limits)
        port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        mount = Mount("/live", on: service, reactor: reactor, settings: settings)
    }

    /// A client that the mount has taken as a listener or has refused.
    func listen(_ fields: String = "", query: String = "", receiveBuffer: CInt? = nil) -> LoopbackClient {
        let client = reactor.connect(port: port, receiveBuffer: receiveBuffer)
        client.send("GET /live\(query) HTTP/1.0\r\nUser-Agent: test\r\n\(fields)\r\n")
        let before = mount.listenerCount
        reactor.pump { mount.listenerCount > before || client.collect().end != nil }
        return client
    }

    func ask(_ request: String) -> LoopbackClient { reactor.ask(request, port: port) }

    /// Lets time pass in steps, with `feed` before each of them and `each` after it.
    func pass(_ steps: Int, of step: Duration, feed: () -> Void = {}, _ each: () -> Void) {
        for _ in 0..<steps {
            feed()
            reactor.advance(by: step)
            reactor.drain()
            each()
        }
    }

    func close() {
        mount.close()
        service.close()
        reactor.drain()
    }

    deinit { close() }
}
