// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport

/// How long a daemon takes from its start: to the first audio on disk where a hundred thousand recordings are there
/// already and their catalog is gone, and to readiness with a thousand stations. And what a listener hears meanwhile.
struct DaemonStart {
    private static let recordings = 100_000
    private static let stations = 1_000

    func run() throws -> [Figure] {
        [try manyRecordings(), try manyStations()] + (try listener())
    }

    private func manyRecordings() throws -> Figure {
        note("daemon-start: \(Self.recordings) recordings")
        let folder = try TemporaryFolder("aircheck-start")
        try folder.make("recordings")
        for number in 0..<Self.recordings {
            let name = "recordings/old \(1_000_000 + number)"
            try folder.write("\(name).mp3", [0])
            try folder.write("\(name).json", LibraryMaterial.sidecar(number).encoded)
        }
        let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))
        let origin = try LiveOrigin(LiveScript(.stream(LiveStream(programme))))
        let port = try Loopback.freePort()
        try folder.write(
            "config.toml",
            """
            [server]
            listen = ["127.0.0.1:\(port)"]
            [[station]]
            id = "new"
            url = "\(origin.url("/live"))"
            record = "always"
            """)
        let (seconds, process) = try start(folder) { $0.errorSoFar.contains("recording to") }
        process.terminate()
        _ = try process.wait(within: .seconds(60))
        return Figure(
            name: "daemon: first file with \(Self.recordings) recordings, s", ours: decimal(seconds), peer: "",
            value: seconds, goal: .atMost(3))
    }

    private func manyStations() throws -> Figure {
        note("daemon-start: \(Self.stations) stations")
        let folder = try TemporaryFolder("aircheck-start")
        let port = try Loopback.freePort()
        let stations = (0..<Self.stations).map { number in
            "[[station]]\nid = \"s\(number)\"\nurl = \"http://127.0.0.1:9/\(number)\"\n"
        }
        try folder.write("config.toml", "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n" + stations.joined())
        let ready = Array("HTTP/1.1 200".utf8)
        let (seconds, process) = try start(folder) { _ in
            let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
            let answer = try? Loopback.exchange(port: port, request, within: .milliseconds(500))
            return answer?.starts(with: ready) == true
        }
        process.kill()
        _ = try process.wait(within: .seconds(60))
        return Figure(
            name: "daemon: ready with \(Self.stations) stations, s", ours: decimal(seconds), peer: "", value: seconds,
            goal: .atMost(2))
    }

    /// The longest pause of a listener of one station while the daemon connects to all the others and records them.
    private func listener() throws -> [Figure] {
        note("daemon-start: a listener while \(Self.stations) stations are connected to")
        let programme = Broadcast([.music(.seconds(180))], MPEGShape(128))
        let origin = try LiveOrigin(LiveScript(.stream(LiveStream(programme))))
        let folder = try TemporaryFolder("aircheck-start")
        let port = try Loopback.freePort()
        let stations = (0..<Self.stations).map { number in
            """
            [[station]]
            id = "s\(number)"
            url = "\(origin.url("/s\(number)"))"
            record = "always"
            segment = "none"
            template = "{station}"
            relay = \(number == 0)

            """
        }
        try folder.write(
            "config.toml",
            "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n[log]\nlevel = \"warning\"\n" + stations.joined())
        let (_, process) = try start(folder) { _ in
            (try? Loopback.isHeard(port: port, at: "/s0", bytes: 1, within: .milliseconds(500))) == true
        }
        let pause = try longestPause(port: port, path: "/s0", during: .seconds(40))
        let begun = try folder.contents().count { $0.hasSuffix(".part") }
        process.terminate()
        _ = try process.wait(within: .seconds(60))
        return [
            Figure(
                name: "daemon: a listener's longest pause while \(Self.stations) stations begin, s",
                ours: decimal(pause), peer: "", value: pause, goal: .atMost(1.5)),
            Figure(
                name: "daemon: stations recorded after 40 s", ours: "\(begun)", peer: "", value: Double(begun),
                goal: .atLeast(Double(Self.stations))),
        ]
    }

    /// The longest time between two deliveries to a listener, in seconds.
    private func longestPause(port: Int, path: String, during time: Duration) throws -> Double {
        let socket = try Loopback.connect(port: port)
        defer { Loopback.close(socket) }
        try Loopback.send(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8), to: socket)
        let end = Deadline(after: time)
        var (last, longest) = (ContinuousClock.now, Duration.zero)
        while let bytes = try Loopback.receive(from: socket, by: end) {
            guard !bytes.isEmpty else { throw SetupError("the listener was cut off") }
            longest = max(longest, last.duration(to: .now))
            last = .now
        }
        return max(longest, last.duration(to: .now)).inSeconds
    }

    /// Starts the daemon, and returns how long it takes until the condition holds.
    private func start(
        _ folder: TemporaryFolder, _ condition: (ChildProcess) -> Bool
    ) throws -> (seconds: Double, ChildProcess) {
        let began = ContinuousClock.now
        let process = try ChildProcess(
            aircheckBinary(), ["serve", "--config", folder.file("config.toml"), "--socket", folder.file("socket")])
        let isThere = waitUntil(.seconds(60)) { !process.isRunning || condition(process) }
        guard isThere, process.isRunning else { throw SetupError("the daemon failed:\n\(process.errorSoFar)") }
        return ((ContinuousClock.now - began).inSeconds, process)
    }
}
