// SPDX-License-Identifier: MIT

import CurlClient
import Synchronization
import TestTools
import Testing

struct NetrcTests {
    private final class Heads: Sendable {
        let all = Mutex<[String]>([])
        func add(_ head: String) { all.withLock { $0.append(head) } }
        var authorized: [Bool] { all.withLock { $0.map { $0.lowercased().contains("\r\nauthorization:") } } }
    }

    private static func file(_ text: String, in folder: TemporaryFolder) throws -> NetrcFile {
        NetrcFile(path: try folder.write("netrc", text), text: text)
    }

    @Test("A host gets its password, and a user in the address comes first")
    func password() async throws {
        let folder = try TemporaryFolder()
        let heads = Heads()
        let server = try ScriptedServer { connection in
            heads.add(connection.readHead())
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.netrc = try Self.file("machine 127.0.0.1 login me password secret\n", in: folder)
        #expect(try await fetch(request).error == nil)
        request.url = server.url(user: "you:own")
        #expect(try await fetch(request).error == nil)
        let sent = heads.all.withLock { $0 }
        #expect(sent.count == 2 && sent[0].contains("Basic bWU6c2VjcmV0") && sent[1].contains("Basic eW91Om93bg=="))
    }

    @Test(
        "A redirect to another host gets no password, even if the file names that host without one",
        arguments: ["", "machine localhost\n", "machine localhost login other\n"])
    func redirect(entry: String) async throws {
        let folder = try TemporaryFolder()
        let heads = Heads()
        let other = try ScriptedServer { connection in
            heads.add(connection.readHead())
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        }
        let first = try ScriptedServer { connection in
            heads.add(connection.readHead())
            let place = "http://localhost:\(other.port)/"
            connection.send("HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n")
        }
        defer {
            first.stop()
            other.stop()
        }
        var request = TransferRequest(url: first.url())
        request.netrc = try Self.file("machine 127.0.0.1 login me password secret\n" + entry, in: folder)
        #expect(try await fetch(request).error == nil)
        #expect(heads.authorized.first == true && heads.authorized.count == 2)
        #expect(heads.all.withLock { $0.last?.contains("bWU6c2VjcmV0") } == false)
        #expect(heads.all.withLock { $0.last?.contains("OnNlY3JldA") } == false)
    }

    @Test("It is known which hosts the file names")
    func hosts() {
        let file = NetrcFile(
            path: "", text: "machine Radio.example\n  login a password b\nmachine ::1 login c password d\n")
        #expect(file.mayName(hostOf: "http://radio.example:8000/live") && file.mayName(hostOf: "http://[::1]/"))
        #expect(!file.mayName(hostOf: "http://other.example/") && !file.mayName(hostOf: "http://a/"))
        #expect(NetrcFile(path: "", text: "default login a password b").mayName(hostOf: "http://other.example/"))
    }
}
