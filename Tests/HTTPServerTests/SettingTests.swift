// SPDX-License-Identifier: MIT

import RadioCore
import TestTools
import Testing

@testable import HTTPServer

/// The server's settings as people write them.
struct SettingTests {
    private func fault(_ read: () throws -> some Any) -> SettingFault? {
        do {
            _ = try read()
            return nil
        } catch {
            return error as? SettingFault
        }
    }

    @Test("Faults of networks and addresses name their setting") func networksAndAddresses() throws {
        #expect(try IPNetwork(parsing: "10.0.0.0/8", as: .deny) == IPNetwork("10.0.0.0/8"))
        #expect(fault { try IPNetwork(parsing: "home", as: .allow) }?.field == .allow)
        #expect(fault { try IPNetwork(parsing: "10.0.0.0/33", as: .trustedProxy) }?.field == .trustedProxy)
        #expect(try SocketAddress(parsing: "[::1]:8000") == SocketAddress("[::1]:8000"))
        for text in ["", "8000", "radio.example:8000", "127.0.0.1", "127.0.0.1:65536"] {
            #expect(fault { try SocketAddress(parsing: text) }?.field == .listen, "\(text)")
        }
    }

    @Test("A path that cannot be a Unix socket is refused with the reason") func unixPath() throws {
        for (path, word) in [
            ("run/x", "begin it with /"), ("", "begin it with /"),
            ("/" + String(repeating: "a", count: 107), "shorter"), ("/run/", "cannot be the path"),
            ("/a\nb", "cannot be the path"),
        ] {
            let text = fault { try SocketAddress(parsing: "unix:" + path) }?.description ?? ""
            #expect(text.contains(word), "\(path): \(text)")
        }
    }

    @Test("A file of users is read, or its faults are reported") func usersFile() throws {
        let folder = try TemporaryFolder()
        let hash = "$5$saltsalt$" + String(repeating: "a", count: 43)
        let good = try folder.write("good", "# us\nanna:\(hash)\n")
        #expect(try UserList(file: good).hash(of: "anna") == PasswordHash(hash))
        let bad = try folder.write("bad", "anna:secret\nberta:\(hash)\nnobody\n")
        let text = fault { try UserList(file: bad) }?.description ?? ""
        #expect(text.contains("line 1") && text.contains("line 3") && !text.contains("line 2"), "\(text)")
        #expect(!text.contains("secret"))
        #expect(fault { try UserList(file: folder.file("missing")) }?.field == .users)
        let empty = try folder.write("empty", "")
        #expect(fault { try UserList(file: empty) }?.description.contains("no users") == true)
        let large = try folder.write("large", String(repeating: "#\n", count: 3 << 20))
        #expect(fault { try UserList(file: large) }?.field == .users)
    }

    @Test(
        "A name that a file of users cannot contain is refused",
        arguments: ["", "a b", "a:b", "#a", "a\n", "a\u{7f}", String(repeating: "a", count: 256)])
    func userName(name: String) throws {
        try UserList.check(name: "anna")
        #expect(fault { try UserList.check(name: name) }?.field == .user)
    }
}
