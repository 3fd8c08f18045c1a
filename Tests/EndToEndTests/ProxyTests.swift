// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Recording through a proxy, and with a file of passwords.
struct ProxyTests {
    @Test("A station is recorded through a proxy, whose password appears nowhere")
    func recording() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let proxy = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 16_000), .stall(Gate())])
        let folder = try TemporaryFolder()
        let address = "http://me:secret@127.0.0.1:\(proxy.port)"
        let outcome = try await Aircheck.run([
            "record", "radio.example/live", "--proxy", address, "--duration", "2s", "--json", "-v", "--output",
            folder.path,
        ])
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        #expect(try Report(outcome).seconds > 1)
        #expect(proxy.requests.first?.target == "http://radio.example/live")
        #expect(!(outcome.text + outcome.standardError).contains("secret"))
        for file in try folder.contents() {
            #expect(!String(decoding: try folder.read(file), as: UTF8.self).contains("secret"))
        }
    }

    @Test("What the proxy refuses is said of the proxy, with its option")
    func refusal() async throws {
        let proxy = try ScriptedOrigin([.request, .failure(407, "Proxy Authentication Required"), .close])
        for scheme in ["http", "https"] {
            let outcome = try await Aircheck.run([
                "probe", "\(scheme)://radio.example/live", "--proxy", "127.0.0.1:\(proxy.port)", "--give-up", "1s",
            ])
            #expect(outcome.ending == .exited(69))
            #expect(outcome.standardError.contains("with --proxy"), "\(outcome.standardError)")
        }
    }

    @Test("A proxy of the environment is not used, and whoever looks for a fault is told")
    func environment() async throws {
        let port = try ClosedPort()
        let origin = try ScriptedOrigin([.request, .failure(404, "Not Found"), .close])
        let environment = ["http_proxy": "http://me:secret@127.0.0.1:\(port.number)"]
        let arguments = ["probe", origin.url(), "--give-up", "1s"]
        let outcome = try await Aircheck.run(arguments + ["-v"], environment: environment)
        #expect(origin.requests.count == 1 && outcome.standardError.contains("http_proxy is ignored"))
        #expect(!outcome.standardError.contains("secret"), "\(outcome.standardError)")
        let usual = try await Aircheck.run(arguments, environment: environment)
        #expect(!usual.standardError.contains("http_proxy"))
    }

    @Test("A file of passwords is used, and one that cannot be read is wrong usage")
    func passwords() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("netrc", "machine 127.0.0.1 login me password secret\n")
        let origin = try ScriptedOrigin([.request, .failure(404, "Not Found"), .close])
        let arguments = ["probe", origin.url(), "--give-up", "1s", "--netrc-file"]
        _ = try await Aircheck.run(arguments + [file])
        #expect(origin.requests.first?.header("Authorization") == "Basic bWU6c2VjcmV0")
        for path in [folder.file("missing"), folder.path] {
            let outcome = try await Aircheck.run(arguments + [path])
            #expect(outcome.ending == .exited(64) && outcome.standardError.contains("--netrc-file"))
        }
    }
}
