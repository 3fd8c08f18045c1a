// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import Stations
import TestSupport
import TestTools

/// Many stations whose names get no answer, alongside some reachable ones, on a single loop.
///
/// Half of the stations without an answer are stopped during their lookups. Then the client is closed during the
/// lookups of the other half, and the process ends while the resolver's threads still wait.
enum Lookups {
    private static let unknown = 64
    private static let known = 3
    private static let length = Duration.seconds(30)
    private static let lastMoments = Duration.seconds(1)

    static func run() throws {
        let nameServer = try NameServer(.silent)
        // The programme lasts longer than any station is received.
        let programme = frames((Int(length / .seconds(1)) + 10) * bytesPerSecond / frameLength)
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme, bytesPerSecond: bytesPerSecond), .stall(Gate())])
        CurlLibrary.prepareResolver()
        let loop = try EventLoop(name: "rig")
        try loop.start()
        let before = try ownStatus()
        let scene = Scene(loop)
        let result = Watched<String?>(nil)
        loop.post { scene.begin(origin.url(), unknown: unknown, known: known) }
        var threads = 0
        _ = result.wait(within: .milliseconds(1)) { $0 }
        for _ in 0..<Int(length / .milliseconds(250)) {
            _ = result.wait(within: .milliseconds(250)) { $0 }
            threads = max(threads, try ownStatus().threads)
        }
        let (after, mostThreads) = (try ownStatus(), threads)
        loop.post { scene.stopHalf() }
        _ = result.wait(within: lastMoments) { $0 }
        loop.post {
            let found = scene.end(programme)
            let ended = MonotonicInstant.now.nanoseconds
            result.change {
                $0 = """
                    {"longest_pause": \(found.longestPause), "gaps": \(found.gaps), "seconds_heard": \(found.heard), \
                    "is_exact": \(found.isExact), "threads": \(mostThreads - before.threads), \
                    "memory": \(after.residentMemory - before.residentMemory), "ended_at": \(ended)}
                    """
            }
        }
        NetworkRig.say(result.wait(within: .seconds(30)) { $0 } ?? "the loop stands still")
        withExtendedLifetime((nameServer, origin)) { loop.shutdown() }
    }

    private static func ownStatus() throws -> ProcessStatus {
        guard let status = ProcessStatus() else { throw RigError("the kernel says nothing of this process") }
        return status
    }

    /// The objects on the loop. Not checked as Sendable; sound because it is used on the loop only. Proof: after
    /// `init`, only calls posted to the loop use it.
    private final class Scene: @unchecked Sendable {
        private let loop: EventLoop
        private var client: CurlClient?
        private var heartbeat: Heartbeat?
        private var strangers: [HeardStation] = []
        private var friends: [HeardStation] = []

        init(_ loop: EventLoop) { self.loop = loop }

        func begin(_ url: String, unknown: Int, known: Int) {
            let client = CurlClient(reactor: loop.reactor)
            self.client = client
            heartbeat = Heartbeat(loop.reactor)
            strangers = (0..<unknown).map {
                HeardStation("http://station\($0).invalid/", client: client, reactor: loop.reactor, seed: UInt64($0))
            }
            friends = (0..<known).map { _ in HeardStation(url, client: client, reactor: loop.reactor) }
        }

        func stopHalf() {
            for stranger in strangers.prefix(strangers.count / 2) { stranger.stop() }
        }

        func end(_ programme: [UInt8]) -> (longestPause: Double, gaps: Int, heard: Double, isExact: Bool) {
            let heard = friends.map { Double($0.audio.count) / Double(bytesPerSecond) }.min() ?? 0
            let isExact = friends.allSatisfy { programme.starts(with: $0.audio) }
            let gaps = friends.map(\.gaps).reduce(0, +)
            let longestPause = heartbeat?.longestPause ?? .zero
            let began = MonotonicInstant.now
            client?.close()
            for station in strangers + friends { station.stop() }
            (strangers, friends, heartbeat) = ([], [], nil)
            let closing = MonotonicInstant.now - began
            return (max(longestPause, closing) / .seconds(1), gaps, heard, isExact)
        }
    }
}
