// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import TestSupport

/// A client that sends one request after another on one connection, and reads each answer to its end.
final class Conversation {
    struct Answer {
        let status: Int
        /// The fields by their names in lower case.
        let fields: [String: String]
        let body: [UInt8]
    }

    let client: LoopbackClient
    private let reactor: PolledReactor
    private var read = 0

    init(_ client: LoopbackClient, _ reactor: PolledReactor) {
        self.client = client
        self.reactor = reactor
    }

    convenience init(_ site: Site) { self.init(site.reactor.connect(port: site.port), site.reactor) }

    /// Sends a request and returns its answer; nil if the server closes, or sends nothing for ten seconds.
    func ask(_ request: String) -> Answer? {
        client.send(request)
        return answer(isHead: request.hasPrefix("HEAD "))
    }

    /// Sends a GET request of HTTP/1.1. `fields` are further fields, each with its line end.
    func get(_ path: String, _ fields: String = "") -> Answer? {
        ask("GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
    }

    /// The next answer. Without a length it goes up to the end of the connection.
    func answer(isHead: Bool = false) -> Answer? {
        var head: (text: String, end: Int)?
        reactor.pump {
            client.collect()
            head = head ?? findHead()
            return head != nil || client.end != nil
        }
        guard let head, let status = Int(head.text.dropFirst(9).prefix(3)) else { return nil }
        let pairs = head.text.split(separator: "\r\n").dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
        }
        let fields = Dictionary(pairs) { $0 + ", " + $1 }
        let isEmpty = isHead || status == 204 || status == 304
        let length = isEmpty ? 0 : fields["content-length"].flatMap { Int($0) }
        reactor.pump { client.collect().end != nil || client.received.count >= head.end + (length ?? .max / 2) }
        let end = length.map { min(head.end + $0, client.received.count) } ?? client.received.count
        read = end
        return Answer(status: status, fields: fields, body: Array(client.received[head.end..<end]))
    }

    /// Whether the server closes in an orderly way, without sending anything more.
    var isClosedByServer: Bool {
        reactor.pump { client.collect().end != nil }
        return client.end == .closed && client.received.count == read
    }

    private func findHead() -> (String, Int)? {
        let mark = Array("\r\n\r\n".utf8)
        let bytes = client.received[read...]
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
        return (String(decoding: bytes[..<end], as: UTF8.self), end + mark.count)
    }
}

extension LoopbackClient {
    /// Connects to any address of this machine.
    convenience init(to address: SocketAddress) {
        let descriptor = socket(address.family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.init(descriptor, isConnected: address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
    }
}
