// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Passwords of stations and tokens of hooks. The servers refuse them, and nobody else may see them.
struct ServeSecretTests {
    /// The password for each way to give one. The key is also the user's name and the path at the station's server.
    private static let passwords = [
        "file": "f1le-s3cret", "credential": "cr3dential-s3cret", "url": "url-s3cret", "field": "f1eld-s3cret",
        "moved": "m0ved-s3cret", "list": "l1st-s3cret",
    ]

    /// The token of each hook. The key is the path at the hook's server.
    private static let tokens = ["post": "tk_p0st-s3cret", "ntfy": "tk_ntfy-s3cret"]

    private static func basic(_ way: String) -> String {
        "Basic " + Data("\(way):\(passwords[way] ?? "")".utf8).base64EncodedString()
    }

    /// A server that refuses every password and token. A redirect and a playlist lead to addresses that contain a
    /// password.
    private static func origin() throws -> ScriptedOrigin {
        try ScriptedOrigin { port in
            let refused: [OriginScript.Step] = [.failure(401, "No", ["WWW-Authenticate": "Basic realm=\"radio\""])]
            let paths = Array(passwords.keys) + Array(tokens.keys)
            var steps = Dictionary(uniqueKeysWithValues: paths.map { ("/\($0)", refused) })
            func address(_ way: String) -> String { "http://\(way):\(passwords[way] ?? "")@127.0.0.1:\(port)/\(way)" }
            steps["/to-moved"] = [.redirect(to: address("moved"))]
            steps["/to-list"] = [.text("#EXTM3U\n\(address("list"))\n", type: "audio/x-mpegurl")]
            return OriginScript([.request, .byPath(steps)])
        }
    }

    private static func configuration(_ origin: ScriptedOrigin) -> String {
        func station(_ way: String, _ url: String, _ more: String = "") -> String {
            Serving.station(way, url, more + "\nrecord = \"always\"")
        }
        let inURL = origin.url("/url").replacing("http://", with: "http://url:\(passwords["url"] ?? "")@")
        return [
            station("file", origin.url("/file"), "username = \"file\"\npassword-file = \"password\""),
            station(
                "credential", origin.url("/credential"),
                "username = \"credential\"\npassword-credential = \"station\""),
            station("url", inURL),
            station("field", origin.url("/field"), "headers = { Authorization = \"\(basic("field"))\" }"),
            station("moved", origin.url("/to-moved")),
            station("list", origin.url("/to-list")),
            hooks(origin),
        ].joined()
    }

    /// Hooks that are called because the disk has less free space than it should have.
    private static func hooks(_ origin: ScriptedOrigin) -> String {
        """
        [[hook]]
        on = "disk-low"
        post = "\(origin.url("/post"))"
        token-file = "token"
        [[hook]]
        on = "disk-low"
        ntfy = "\(origin.url("/ntfy"))"
        token-credential = "ntfy"
        [storage]
        free-space = "900000TB"

        """
    }

    @Test("Passwords and tokens are in no log line, no answer and no file of the daemon")
    func passwords() async throws {
        let origin = try Self.origin()
        let serving = try Serving(Self.configuration(origin))
        try serving.folder.make("credentials")
        // The free space is measured in the recordings folder, so that folder must exist.
        try serving.folder.make("recordings")
        let secrets = [
            "password": Self.passwords["file"], "credentials/station": Self.passwords["credential"],
            "token": Self.tokens["post"], "credentials/ntfy": Self.tokens["ntfy"],
        ]
        for (file, secret) in secrets { chmod(try serving.folder.write(file, "\(secret ?? "")\n"), 0o600) }
        let environment = ["CREDENTIALS_DIRECTORY": serving.folder.file("credentials")]
        try await serving.start(environment: environment)
        for way in Self.passwords.keys {
            let isRefused = try await waitUntil(.seconds(30)) {
                let lines = serving.log.split(separator: "\n")
                return lines.contains { $0.contains("[\(way)]") && $0.contains("[unauthorized]") }
            }
            #expect(isRefused, "\(way): \(serving.log)")
            // Each password was really sent.
            let brought = origin.requests.filter { $0.path == "/\(way)" }.map { $0.header("Authorization") }
            #expect(!brought.isEmpty && brought.allSatisfy { $0 == Self.basic(way) }, "\(way): \(brought)")
        }
        for (number, way) in ["post", "ntfy"].enumerated() {
            let failure = "hook \(number + 1) failed for disk-low: its server answered 401"
            #expect(try await waitUntil(.seconds(30)) { serving.log.contains(failure) }, "\(serving.log)")
            let brought = origin.requests.filter { $0.path == "/\(way)" }.map { $0.header("Authorization") }
            #expect(brought == ["Bearer \(Self.tokens[way] ?? "")"], "\(way): \(brought)")
        }

        var said: [String: String] = [:]
        for question in [["status"], ["status", "--json"], ["schedule"], ["recordings"], ["reload"]] {
            let outcome = try await serving.ask(question)
            #expect(outcome.succeeded, "\(question): \(outcome.standardError)")
            said["\(question)"] = outcome.text + outcome.standardError
        }
        let check = try await Aircheck.run(
            ["check", "--config", serving.folder.file("config.toml")], environment: environment)
        #expect(check.succeeded, "\(check)")
        said["check"] = check.text + check.standardError
        let pages = ["/status.json", "/status-json.xsl", "/metrics", "/readyz"].map { (page: $0, options: [String]()) }
        for (page, options) in pages + [("/v1/status", ["--unix-socket", serving.socket])] {
            let url = "http://127.0.0.1:\(serving.port)\(page)"
            said[page] = try await ChildProcess(.curl, options + ["-si", url]).outcome(within: .seconds(20)).text
        }
        // The stations are listed with the reason why they have no audio.
        let status = said["/v1/status"] ?? ""
        for way in Self.passwords.keys { #expect(status.contains("\"\(way)\""), "\(status)") }
        #expect(status.contains("401"), "\(status)")

        #expect(try await serving.stop().ending == .exited(0))
        said["log"] = serving.log
        let given = Set(secrets.keys).union(["config.toml"])
        for file in try serving.folder.contents() where !given.contains(file) {
            said[file] = serving.folder.content(of: file).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(said.keys.contains { $0.hasPrefix("state/") }, "\(said.keys)")
        let passwords = Self.passwords.flatMap { [$0.value, String(Self.basic($0.key).dropFirst("Basic ".count))] }
        let parts = passwords + Self.tokens.values
        for (place, text) in said {
            for part in parts { #expect(!text.contains(part), "\(part) is in \(place): \(text)") }
        }
    }

    @Test("Password and token files that others may read are refused, and not quoted")
    func exposed() async throws {
        let serving = try Serving(
            Serving.station("file", "http://127.0.0.1:9/", "username = \"file\"\npassword-file = \"password\"")
                + "[[hook]]\non = \"gap\"\npost = \"http://127.0.0.1:9/\"\ntoken-file = \"token\"\n")
        for file in ["password", "token"] { chmod(try serving.folder.write(file, "f1le-s3cret\n"), 0o644) }
        let outcome = try await Aircheck.run(["check", "--config", serving.folder.file("config.toml")])
        #expect(outcome.ending == .exited(78), "\(outcome)")
        for key in ["station[1].password-file", "hook[1].token-file"] {
            #expect(outcome.standardError.contains(key), "\(outcome)")
        }
        #expect(!(outcome.text + outcome.standardError).contains("s3cret"), "\(outcome)")
    }
}
