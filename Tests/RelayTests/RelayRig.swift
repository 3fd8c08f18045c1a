// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import TestSupport
import Testing

/// A hub whose frames can be told apart, a mount on a real socket, and virtual time.
final class RelayRig {
    static let mp3 = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44100, channels: 2)
    static let frameSize = 417

    let reactor = PolledReactor()
    let hub = StreamHub()
    let service: HTTPService
    let mount: Mount
    let port: UInt16
    private(set) var frames = 0
    /// The bytes of all frames so far.
    private(set) var source: [UInt8] = []

    init(settings: MountSettings = MountSettings(), format: StreamFormat? = mp3) throws {
        service = HTTPService(reactor: reactor)
        port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        mount = Mount("/live", on: service, reactor: reactor, settings: settings)
        mount.tune(to: hub)
        var info = StationInfo(kind: .live, name: "Test\r\nX: y", url: "http://origin/")
        info.icyFields = [
            .init(name: "icy-genre", value: "Jazz"), .init(name: "icy-br", value: "128"),
            .init(name: "icy-metaint", value: "1"),
        ]
        hub.announce(info)
        if let format { hub.begin(format) }
    }

    /// Puts frames in; each says which it is.
    func play(_ count: Int) {
        for _ in 0..<count {
            var frame = [UInt8](repeating: UInt8(truncatingIfNeeded: frames &* 7), count: Self.frameSize)
            withUnsafeBytes(of: UInt32(frames).bigEndian) { frame.replaceSubrange(0..<4, with: $0) }
            frame.withUnsafeBytes { hub.append($0, samples: 1152, backReference: 0) }
            source += frame
            frames += 1
        }
        hub.flush()
    }

    /// Lets audio of so many seconds come in real time, and everybody do what they then do.
    func run(_ seconds: Int, _ each: () -> Void = {}) {
        for _ in 0..<(seconds * 8) {
            play(5)
            reactor.advance(by: .milliseconds(125))
            reactor.drain()
            each()
        }
    }

    func listen(_ fields: String = "", receiveBuffer: CInt? = nil) -> LoopbackClient {
        let client = LoopbackClient(port: port, receiveBuffer: receiveBuffer)
        client.send("GET /live HTTP/1.0\r\nUser-Agent: test\r\n\(fields)\r\n")
        let before = mount.listenerCount
        reactor.pump { mount.listenerCount > before || client.collect().end != nil }
        return client
    }

    func ask(_ request: String) -> LoopbackClient { reactor.ask(request, port: port) }

    func close() {
        mount.close()
        service.close()
        reactor.drain()
    }

    /// The frames in `bytes`, by their numbers; nil where they are not whole or not in order.
    func frameNumbers(_ bytes: [UInt8]) -> [Int]? {
        guard bytes.count % Self.frameSize == 0 else { return nil }
        var numbers: [Int] = []
        for start in stride(from: 0, to: bytes.count, by: Self.frameSize) {
            let number = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let place = number * Self.frameSize
            guard number > numbers.last ?? -1, place + Self.frameSize <= source.count,
                source[place..<(place + Self.frameSize)].elementsEqual(bytes[start..<(start + Self.frameSize)])
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
