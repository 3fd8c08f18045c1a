// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import TestTools

/// A daemon that records one station, called `a`, and relays it.
final class DaemonRun {
    let folder: TemporaryFolder
    let port: Int
    let daemon: ChildProcess
    private let origin: ScriptedOrigin

    /// Starts the daemon, and waits until it records. The parameters are:
    ///
    /// - `storage`: additional lines of the configuration's `[storage]`.
    /// - `more`: the last lines of the configuration.
    /// - `prepare`: a program that starts the daemon in the folder, and the program's arguments.
    /// - `faults`: the faults of the first connection to the station.
    init(
        _ programme: Broadcast, storage: String = "", more: String = "", prepare: [String] = ["/usr/bin/env"],
        faults: [LiveFault] = []
    ) throws {
        let stream = LiveStream(programme)
        var first = stream
        first.faults = faults
        origin = try ScriptedOrigin(LiveScript(.stream(first), .stream(stream)))
        folder = try TemporaryFolder("aircheck-soak")
        port = try Loopback.freePort()
        try folder.write(
            "config.toml",
            """
            [server]
            listen = ["127.0.0.1:\(port)"]
            [storage]
            \(storage)
            [[station]]
            id = "a"
            name = "a"
            url = "\(origin.url("/a"))"
            record = "always"
            segment = "none"
            template = "{station}"
            pure = true
            \(more)
            """)
        let command = [
            try aircheckBinary(), "serve", "--config", folder.file("config.toml"), "--socket", folder.file("socket"),
        ]
        daemon = try ChildProcess(prepare[0], prepare.dropFirst() + command, directory: folder.path)
        let isRecording = waitUntil(.seconds(30)) { [daemon] in
            !daemon.isRunning || daemon.errorSoFar.contains("recording to")
        }
        guard isRecording, daemon.isRunning else { throw Harm("nothing is recorded:\n\(daemon.errorSoFar)") }
    }

    /// Waits for some seconds. Throws if the daemon ends meanwhile.
    func pause(_ seconds: Int) throws {
        let ended = try? daemon.wait(within: .seconds(seconds))
        try Harm.unless(ended == nil, "the daemon ended:\n\(daemon.errorSoFar)")
    }

    func end() throws {
        daemon.terminate()
        let outcome = try daemon.wait(within: .seconds(30))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the end failed with \(outcome.ending):\n\(outcome.standardError)")
    }

    func ask(_ arguments: [String]) throws { try DaemonTalk.ask(arguments, socket: folder.file("socket")) }

    /// Throws if the loop was late in the last seconds. Returns the loop's longest delay in this time, in milliseconds.
    @discardableResult
    func expectPunctualLoop() throws -> Double {
        let lag = try DaemonTalk.loopLag(port: port)
        try Harm.unless(lag <= FlatFigures.mostLag, "the loop was \(lag) ms late")
        return lag
    }
}

/// Starts a daemon and sends it commands, with the configuration and the socket in one folder.
enum DaemonTalk {
    static func serve(in folder: TemporaryFolder) throws -> ChildProcess {
        try ChildProcess(
            aircheckBinary(), ["serve", "--config", folder.file("config.toml"), "--socket", folder.file("socket")])
    }

    /// The configuration of a station that is always recorded: pure frames, one file for each run of the daemon.
    static func station(_ id: String, at url: String) -> String {
        """
        [[station]]
        id = "\(id)"
        name = "\(id)"
        url = "\(url)"
        record = "always"
        segment = "none"
        template = "{station} %s"
        pure = true

        """
    }

    /// Runs a command of `aircheck` that asks the daemon at this socket. Throws if the command fails.
    static func ask(_ arguments: [String], socket: String) throws {
        let outcome = try ChildProcess(aircheckBinary(), arguments + ["--socket", socket]).wait(within: .seconds(30))
        try Harm.unless(outcome.succeeded, "\(arguments) failed:\n\(outcome.standardError)")
    }

    /// The longest delay of the loop in the last seconds, in milliseconds.
    static func loopLag(port: Int) throws -> Double {
        let request = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let text = String(
            decoding: try Loopback.exchange(port: port, request, within: .seconds(10)), as: UTF8.self)
        guard let lag = text.firstMatch(of: /\naircheck_loop_lag_seconds ([0-9.e-]+)/).flatMap({ Double($0.output.1) })
        else { throw Harm("the metrics have no loop lag:\n\(text)") }
        return lag * 1_000
    }
}
