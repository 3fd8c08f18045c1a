// SPDX-License-Identifier: MIT

import Testing

@testable import CurlClient

/// Host names with letters outside ASCII.
struct HostNameTests {
    /// The name as people, playlists and redirects write it; its form in the domain name system is in `ascii`.
    private static let names = ["münchen.test", "MÜNCHEN.test", "m%C3%BCnchen.test", "xn--mnchen-3ya.test"]
    private static let ascii = "xn--mnchen-3ya.test"

    init() { CurlLibrary.prepareResolver() }

    @Test("A29: A name with an umlaut is looked up in its ASCII form", arguments: names)
    func address(name: String) async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n\(head.contains("Host: \(Self.ascii):") ? "audio" : head)")
        }
        defer { server.stop() }
        var request = TransferRequest(url: "http://\(name):\(server.port)/live")
        request.fixedAddresses = ["\(Self.ascii):\(server.port):127.0.0.1"]
        let outcome = try await fetch(request)
        #expect(outcome.error == nil && outcome.text == "audio")
        #expect(CurlLibrary.host(of: request.url) == Self.ascii)
    }

    @Test("A29: A redirect to such a name is followed, and its plain request names the host in ASCII", arguments: names)
    func redirect(name: String) async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            guard head.contains("Host: \(Self.ascii):") else {
                // Some servers send Latin-1.
                let bytes =
                    head.hasPrefix("GET /latin") ? name.unicodeScalars.map { UInt8($0.value) } : Array(name.utf8)
                connection.send("HTTP/1.1 302 Found\r\nLocation: http://")
                connection.send(bytes)
                connection.send(":\(connection.port)/x\r\n\r\n")
                return
            }
            connection.send("ICY  200 OK\r\n\r\naudio")
        }
        defer { server.stop() }
        for path in ["/live", "/latin"] {
            var request = TransferRequest(url: server.url(path))
            request.fixedAddresses = ["\(Self.ascii):\(server.port):127.0.0.1"]
            let outcome = try await fetch(request)
            #expect(outcome.error == nil && outcome.text == "audio" && outcome.head?.redirects == 1)
        }
    }
}
