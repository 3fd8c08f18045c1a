// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Glibc
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import TestSupport
import Testing

/// Stations, relays of stations and of relays, and recorders of relays, in virtual time. The stations are scripts, and
/// relays are connected by real sockets.
final class RelayTree {
    let reactor = PolledReactor()
    let programme: Broadcast
    private let origin: VirtualOrigin
    private let client: TreeClient
    private let heard: HeardFrames
    private var relays: [Relay] = []

    /// `hosts` are the stations by their names.
    init(_ programme: Broadcast, hosts: [String: LiveScript]) {
        self.programme = programme
        heard = HeardFrames(of: programme)
        origin = VirtualOrigin(hosts: hosts, reactor: reactor)
        client = TreeClient(origin, reactor: reactor)
    }

    /// Adds a relay called `name`, whose mirrors are `hosts`.
    func relay(_ name: String, of hosts: String..., settings: MountSettings = MountSettings()) throws -> Relay {
        let service = HTTPService(reactor: reactor)
        client.ports[name] = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        let relay = Relay(service, station(of: hosts), reactor, settings)
        relays.append(relay)
        return relay
    }

    /// Adds a recorder whose mirrors are `hosts`.
    func recorder(of hosts: String...) -> Recorder {
        let station = station(of: hosts)
        let recorder = Recorder(station, heard)
        station.hub.attach(recorder)
        station.start()
        return recorder
    }

    /// A player that listens to a relay for as long as the tree exists.
    func player(of name: String) throws -> LoopbackClient {
        let player = LoopbackClient(port: try #require(client.ports[name]))
        player.send("GET /live HTTP/1.0\r\n\r\n")
        return player
    }

    private func station(of hosts: [String]) -> Programme {
        Programme(
            settings: StationSettings(urls: hosts.map { "http://\($0)/live" }, userAgent: "test"), client: client,
            reactor: reactor)
    }

    /// Lets time pass for the whole tree.
    func run(_ seconds: Double, _ each: () -> Void = {}) {
        for _ in 0..<Int(seconds * 40) {
            reactor.advance(by: .milliseconds(25))
            reactor.drain()
            each()
        }
    }

    func close() {
        for relay in relays { relay.close() }
        reactor.drain()
    }

    /// A station, the mount that serves it, and the station's notices.
    final class Relay {
        let mount: Mount
        let station: Programme
        private(set) var notices: [StationNotice] = []
        private let service: HTTPService

        init(_ service: HTTPService, _ station: Programme, _ reactor: PolledReactor, _ settings: MountSettings) {
            self.service = service
            self.station = station
            mount = Mount("/live", on: service, reactor: reactor, settings: settings)
            station.requestFields = { [unowned mount] in [.init(name: "Via", value: mount.via)] }
            station.onNotice = { [unowned self] in notices.append($0) }
            mount.tune(to: station.hub)
            station.start()
        }

        var failures: [Failure] {
            notices.compactMap { if case .failed(let failure, _) = $0 { failure } else { nil } }
        }

        var gaps: [Gap] { notices.compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }

        func close() {
            station.stop()
            mount.close()
            service.close()
        }
    }

    /// A sink that compares its frames with the programme.
    final class Recorder: StreamSink {
        let station: Programme
        private(set) var heard: HeardFrames
        private(set) var gaps: [Gap] = []
        private(set) var splices: [Splice] = []
        let tolerance: Duration? = .seconds(1) / 3

        init(_ station: Programme, _ programme: HeardFrames) {
            self.station = station
            heard = programme
        }

        func receive(_ event: StreamEvent) {
            switch event {
            case .chunk(let chunk): heard.add(chunk)
            case .discontinuity(let discontinuity):
                if case .gap(let gap) = discontinuity.kind { gaps.append(gap) }
            case .splice(let splice): splices.append(splice)
            default: break
            }
        }
    }
}

/// Fetches from relays through their sockets, and from all other hosts through the script.
private final class TreeClient: HTTPClient {
    /// The ports of relays by their names.
    var ports: [String: UInt16] = [:]
    private let origin: VirtualOrigin
    private let reactor: any Reactor

    init(_ origin: VirtualOrigin, reactor: any Reactor) {
        self.origin = origin
        self.reactor = reactor
    }

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        let host = URLReference(request.url).authority.map { String($0) } ?? ""
        guard let port = ports[host] else { return origin.start(request, delegate: delegate) }
        let transfer = SocketTransfer(request, port: port, reactor: reactor, delegate: delegate)
        reactor.defer { transfer.begin() }
        return transfer
    }
}

/// One exchange with a server on this machine, which sends until it closes.
private final class SocketTransfer: HTTPTransfer {
    private let request: TransferRequest
    private let port: UInt16
    private let reactor: any Reactor
    private var delegate: (any TransferDelegate)?
    private var descriptor: CInt = -1
    private var watch: (any SocketWatch)?
    /// The received part of the head; nil once the head is complete.
    private var head: [UInt8]? = []

    init(_ request: TransferRequest, port: UInt16, reactor: any Reactor, delegate: any TransferDelegate) {
        self.request = request
        self.port = port
        self.reactor = reactor
        self.delegate = delegate
    }

    deinit { cancel() }

    func begin() {
        for phase in [TransferPhase.resolving, .connecting, .waitingForHead] {
            delegate?.transfer(self, entered: phase)
        }
        guard delegate != nil else { return }
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var text = "GET /live HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in request.headers + request.openHeaders { text += "\(name): \(value)\r\n" }
        if request.wantsMetadata { text += "Icy-MetaData: 1\r\n" }
        _ = Array((text + "\r\n").utf8).withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        watch = reactor.watch(descriptor) { [unowned self] _ in read() }
        watch?.interest = .read
    }

    func cancel() {
        delegate = nil
        watch?.cancel()
        watch = nil
        guard descriptor >= 0 else { return }
        // Other tests start child processes, which hold a copy of the descriptor until their exec.
        shutdown(descriptor, CInt(SHUT_WR))
        Glibc.close(descriptor)
        descriptor = -1
    }

    func pause() {}
    func resume() {}
    func gather(_ bytes: Int, isCoalesced: Bool) {}

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        guard count > 0 else {
            guard count == 0 || errno != EAGAIN, let delegate else { return }
            cancel()
            return delegate.transfer(
                self, endedWith: count == 0 && head == nil ? nil : TransferError(.dropped, "it broke off"))
        }
        take(buffer[..<count])
        delegate?.transferDelivered(self)
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        guard let head else { return bytes.withUnsafeBytes { delegate?.transfer(self, received: $0) } ?? () }
        let all = head + bytes
        let end = Array("\r\n\r\n".utf8)
        guard let start = all.indices.dropLast(3).first(where: { all[$0...].starts(with: end) }) else {
            return self.head = all
        }
        self.head = nil
        let lines = String(decoding: all[..<start], as: UTF8.self).components("\r\n")
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        delegate?.transfer(
            self, received: ResponseHead(status: status, fields: fields, finalURL: request.url, isPeerPrivate: true))
        delegate?.transfer(self, entered: .receiving)
        let body = all[(start + 4)...]
        if !body.isEmpty { body.withUnsafeBytes { delegate?.transfer(self, received: $0) } }
    }
}

extension String {
    /// The parts between separators, including empty parts.
    fileprivate func components(_ separator: String) -> [String] {
        var (parts, rest) = ([String](), self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
