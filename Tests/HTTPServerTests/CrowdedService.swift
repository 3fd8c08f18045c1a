// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import Platform
import TestTools

/// A server of streams on a real loop, and clients that come a hundred at a time and stay.
///
/// Sendable, unchecked. Proof: it is used on the loop's thread alone, and by the test when the loop has ended.
final class CrowdedService: @unchecked Sendable {
    /// The number of clients, as far as descriptors for both sides allow.
    let count: Int
    /// The memory that the process needs for each stream, including the test's own descriptor of the stream.
    private(set) var bytesEach = Int.max
    private var service: HTTPService?
    private var port: UInt16 = 0
    private var sockets: [HTTPSocket] = []
    private var before = 0

    private static let crowd = 100

    init() {
        DescriptorLimit.raise()
        count = min(4000, (DescriptorLimit.current / 2 - 200) / Self.crowd * Self.crowd)
    }

    var streams: Int { sockets.count }

    func begin(_ loop: EventLoop) {
        let service = HTTPService(reactor: loop.reactor)
        self.service = service
        service.router.add("/stream", [.get], rules: .stream) { [unowned self] exchange in
            guard let socket = exchange.takeOver() else { return finish(loop) }
            socket.interest = .read
            sockets.append(socket)
            proceed(loop)
        }
        guard let address = SocketAddress("127.0.0.1:0"), let port = try? service.listen(address).port else { return }
        self.port = port
        sockets.reserveCapacity(count)
        for _ in 0..<Self.crowd { connect() }
    }

    private func proceed(_ loop: EventLoop) {
        // The measurement begins after a quarter of the streams, because some memory, such as that of growing tables,
        // is needed only for the first streams.
        if streams == count / 4 { before = ProcessStatus()?.anonymousMemory ?? 0 }
        if streams == count { return finish(loop) }
        if streams % Self.crowd == 0 { for _ in 0..<Self.crowd { connect() } }
    }

    private func connect() {
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let target = SocketAddress(host: .v4(0x7f00_0001), port: port)
        _ = target.withSocketAddress { Glibc.connect(client, $0, $1) }
        let request = "GET /stream HTTP/1.1\r\nHost: localhost:8000\r\nUser-Agent: a radio of some kind\r\n\r\n"
        send(client, request, request.utf8.count, 0)
    }

    private func finish(_ loop: EventLoop) {
        bytesEach = ((ProcessStatus()?.anonymousMemory ?? .max) - before) / (count * 3 / 4)
        for socket in sockets { socket.close() }
        service?.close()
        loop.shutdown()
    }
}
