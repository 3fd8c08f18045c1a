// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import TestTools

/// Measures the start of a daemon: the time to the first audio on disk, beside a hundred thousand recordings whose
/// catalog is gone; the time to readiness with a thousand stations; and the pauses that listeners hear meanwhile.
struct DaemonStart {
    private static let recordings = 100_000
    private static let stations = 1_000

    /// The number of stations that are relayed, each to one listener.
    private static let listeners = 10

    func run() throws -> [Figure] {
        try manyRecordings() + manyStations()
    }

    private func manyRecordings() throws -> [Figure] {
        note("daemon-start: \(Self.recordings) recordings")
        let folder = try TemporaryFolder("aircheck-start")
        try folder.make("recordings")
        for number in 0..<Self.recordings {
            let name = "recordings/old \(1_000_000 + number)"
            try folder.write("\(name).mp3", [0])
            try folder.write("\(name).json", LibraryMaterial.sidecar(number).encoded)
        }
        let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
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
        let isRebuilt = waitUntil(.seconds(600)) { process.errorSoFar.contains("the catalog has been rebuilt from") }
        guard isRebuilt, let status = ProcessStatus(of: process.pid) else {
            throw SetupError("the catalog is not rebuilt:\n\(process.errorSoFar)")
        }
        let memory = Double(status.peakMemory) / 1_048_576
        process.terminate()
        _ = try process.wait(within: .seconds(60))
        return [
            Figure(
                name: "daemon: first file with \(Self.recordings) recordings, s", ours: decimal(seconds), peer: "",
                value: seconds, goal: .atMost(3)),
            Figure(
                name: "daemon: memory until the catalog of \(Self.recordings) recordings is rebuilt, MiB",
                ours: decimal(memory), peer: "", value: memory, goal: .atMost(64)),
        ]
    }

    /// Measures the time until the daemon is ready, and the longest pause of a listener while the daemon connects to
    /// all stations and records them.
    private func manyStations() throws -> [Figure] {
        note("daemon-start: \(Self.stations) stations")
        let programme = Broadcast([.music(.seconds(180))], MPEGShape(128))
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let folder = try TemporaryFolder("aircheck-start")
        let config = try DaemonConfig(origin, stations: Self.stations, relayed: Self.listeners)
        try folder.write("config.toml", config.text)
        let port = config.port
        let (ready, process) = try start(folder) { _ in isReady(port: port) }
        let paths = (0..<Self.listeners).map { "/s\($0)" }
        let pause = try longestPause(port: port, paths: paths, during: .seconds(40))
        let begun = try folder.contents().count { $0.hasSuffix(".part") }
        process.terminate()
        _ = try process.wait(within: .seconds(60))
        return [
            Figure(
                name: "daemon: ready with \(Self.stations) stations, s", ours: decimal(ready), peer: "", value: ready,
                goal: .atMost(2)),
            Figure(
                name: "daemon: longest pause of \(paths.count) listeners while \(Self.stations) stations begin, s",
                ours: decimal(pause), peer: "", value: pause, goal: .atMost(1.5)),
            Figure(
                name: "daemon: stations recorded after 40 s", ours: "\(begun)", peer: "", value: Double(begun),
                goal: .atLeast(Double(Self.stations))),
        ]
    }

    private func isReady(port: Int) -> Bool {
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let answer = try? Loopback.exchange(port: port, request, within: .milliseconds(500))
        return answer?.starts(with: Array("HTTP/1.1 200".utf8)) == true
    }

    /// The longest time between two deliveries to any of the listeners, in seconds, from the listener's first audio on.
    /// Throws if a listener gets no audio. Prints the longest wait for the first audio.
    private func longestPause(port: Int, paths: [String], during time: Duration) throws -> Double {
        var listeners = try paths.map { try Listener(port: port, path: $0) }
        defer { for listener in listeners { Loopback.close(listener.socket) } }
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            for place in listeners.indices { try listeners[place].hear() }
        }
        let longestWait = listeners.map(\.wait.inSeconds).max() ?? 0
        note("daemon-start: all listeners hear something after \(decimal(longestWait)) s")
        let deaf = listeners.filter { $0.last == nil }.map(\.path)
        guard deaf.isEmpty else { throw SetupError("nothing was heard of \(deaf)") }
        return listeners.map { $0.longestPause(until: .now) }.max()?.inSeconds ?? 0
    }

    private struct Listener {
        private(set) var socket: CInt
        let path: String
        private(set) var last: ContinuousClock.Instant?
        private let port: Int
        private(set) var wait = Duration.zero
        private let begun = ContinuousClock.now
        /// The earliest time of the next request.
        private var again = ContinuousClock.now
        private var longest = Duration.zero

        init(port: Int, path: String) throws {
            self.port = port
            self.path = path
            socket = try Self.connect(port: port, path: path)
        }

        private static func connect(port: Int, path: String) throws -> CInt {
            let socket = try Loopback.connect(port: port)
            try Loopback.send(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8), to: socket)
            return socket
        }

        /// Receives the data that has arrived. Requests the station again if it is not available yet.
        mutating func hear() throws {
            if ContinuousClock.now < again { return }
            guard let bytes = try Loopback.receive(from: socket, by: Deadline(after: .milliseconds(2))) else { return }
            if last == nil, bytes.dropFirst(9).prefix(3) != Array("200".utf8)[...] {
                again = .now + .milliseconds(200)
                Loopback.close(socket)
                socket = try Self.connect(port: port, path: path)
                return
            }
            guard !bytes.isEmpty else { throw SetupError("the listener of \(path) was cut off") }
            let now = ContinuousClock.now
            if last == nil { wait = begun.duration(to: now) }
            longest = longestPause(until: now)
            last = now
        }

        func longestPause(until now: ContinuousClock.Instant) -> Duration {
            max(longest, last?.duration(to: now) ?? .zero)
        }
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
