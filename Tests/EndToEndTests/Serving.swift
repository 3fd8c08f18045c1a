// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// The program as a daemon, with a folder of its own; it runs until it is stopped or the object is released.
final class Serving: Sendable {
    let folder: TemporaryFolder
    let port: Int
    private let running: Watched<ChildProcess?>

    /// Makes the folder. `stations` is the configuration except for its `[server]`, which listens on a free port.
    init(_ stations: String) throws {
        folder = try TemporaryFolder()
        port = try Loopback.freePort()
        running = Watched(nil)
        try configure(stations)
    }

    /// A daemon that answers.
    static func started(_ stations: String) async throws -> Serving {
        let serving = try Serving(stations)
        try await serving.start()
        return serving
    }

    /// Writes the configuration. `server`: further lines of its `[server]`; `before`: addresses to listen on that are
    /// listed before the usual one.
    func configure(_ stations: String, server: String = "", before: [String] = []) throws {
        let addresses = before + ["127.0.0.1:\(port)"]
        try folder.write(
            "config.toml",
            """
            [server]
            listen = [\(addresses.map { "\"\($0)\"" }.joined(separator: ", "))]
            \(server)
            [log]
            level = "debug"
            \(stations)
            """)
    }

    var socket: String { folder.file("socket") }
    var process: ChildProcess? { running.value }
    var log: String { running.value?.errorSoFar ?? "" }

    /// Starts the daemon, and waits until it answers. `environment`: variables in addition to the inherited ones;
    /// `starter`: a program with arguments that replaces itself with the daemon.
    func start(environment: [String: String] = [:], by starter: [String] = []) async throws {
        let command =
            starter + [
                try aircheckBinary(), "serve", "--config", folder.file("config.toml"), "--socket", socket,
            ]
        let child = try ChildProcess(command[0], Array(command.dropFirst()), environment: environment)
        running.change { $0 = child }
        let port = port
        let answers = try await waitUntil(.seconds(60)) {
            !child.isRunning || Loopback.answers(port: port)
        }
        guard answers, child.isRunning else { throw SetupError("the daemon does not answer :\n\(child.errorSoFar)") }
    }

    /// Kills the daemon, as a power cut would.
    func kill() async throws {
        running.value?.kill()
        _ = try await running.value?.outcome(within: .seconds(20))
    }

    /// Stops the daemon, and returns how it ended.
    func stop() async throws -> ChildProcess.Outcome {
        guard let child = running.value else { throw SetupError("no daemon runs") }
        child.terminate()
        return try await child.outcome(within: .seconds(30))
    }

    /// Runs `aircheck` with these arguments, which queries the daemon.
    func ask(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await Aircheck.run(arguments + ["--socket", socket])
    }

    /// The object that a command prints.
    func object(_ arguments: [String]) async throws -> JSONValue {
        let outcome = try await ask(arguments + ["--json"])
        guard outcome.succeeded else { throw SetupError("\(arguments) failed:\n\(outcome.standardError)") }
        return try JSONValue(parsing: outcome.standardOutput, limit: 16 << 20)
    }

    /// The paths of recorded audio, sorted.
    var files: [String] {
        folder.names(in: "recordings").filter { $0.contains(".mp3") || $0.contains(".ogg") }.map { "recordings/\($0)" }
    }

    /// A station of the configuration.
    static func station(_ id: String, _ url: String, _ more: String = "") -> String {
        """
        [[station]]
        id = "\(id)"
        name = "\(id)"
        url = "\(url)"
        segment = "none"
        pure = true
        \(more)

        """
    }

    /// A show that begins some time from now, or has begun, as part of a station, and the date of its broadcast.
    static func show(_ id: String, in wait: Duration, length: String) -> (text: String, date: String) {
        let now = WallInstant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
        let start = CivilTime(now + wait, utcOffset: 0).rfc3339
        let text = """
            [[station.show]]
            id = "\(id)"
            days = "daily"
            start = "\(start.dropFirst(11).prefix(8))"
            length = "\(length)"
            zone = "UTC"

            """
        return (text, String(start.prefix(10)))
    }

    /// A daily show that is not on air while a test runs, at whatever time of day.
    static func distantShow(_ id: String) -> String { show(id, in: .seconds(12 * 3_600), length: "2h").text }
}
