// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import TestSupport
import TestTools

/// Runs stations that send the worst input of every parser at full speed, alongside a good one on the same loop.
enum Floods {
    /// The arguments: the duration in seconds, and the floods to run; all of them by default.
    static func run(_ arguments: ArraySlice<String>) throws {
        guard let seconds = arguments.first.flatMap({ Int($0) }) else { throw RigError("floods wants seconds") }
        let named = try arguments.dropFirst().map { name throws(RigError) in
            guard let flood = Flood(rawValue: name) else { throw RigError("no flood is called \(name)") }
            return flood
        }
        let origins = try (named.isEmpty ? Flood.allCases : named).map { try ScriptedOrigin($0.script) }
        // The programme lasts longer than any station is received.
        let programme = frames((seconds + 10) * bytesPerSecond / frameLength)
        let good = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme, bytesPerSecond: bytesPerSecond), .stall(Gate())])
        let loop = try EventLoop(name: "rig")
        try loop.start()
        let scene = Scene(loop)
        // A thread that only watches the clock. A virtual machine may be suspended for a tenth of a second, which looks
        // like a blocked loop. The suspension blocks this thread as well, so such pauses can be subtracted.
        let idle = try EventLoop(name: "witness")
        try idle.start()
        let witness = Scene(idle)
        idle.post { witness.watch() }
        let result = Watched<Found?>(nil)
        loop.post { scene.begin(good.url(), floods: origins.map { $0.url() }) }
        _ = result.wait(within: .seconds(seconds)) { $0 }
        let sent = origins.map(\.log.sentBytes)
        let memory = ProcessStatus()?.anonymousMemory ?? 0
        loop.post {
            let found = scene.end(programme)
            result.change { $0 = found }
        }
        let found = result.wait(within: .seconds(30)) { $0 }
        let beaten = Watched<[Heartbeat.Pause]?>(nil)
        idle.post {
            let pauses = witness.endWatch()
            beaten.change { $0 = pauses }
        }
        let machine = beaten.wait(within: .seconds(10)) { $0 } ?? []
        idle.shutdown()
        if let found {
            let longest = found.pauses.map { $0.without(machine) }.max() ?? .zero
            let machineLongest = machine.map(\.length).max() ?? .zero
            NetworkRig.say(
                """
                {"longest_pause": \(longest / .seconds(1)), "machine_pause": \(machineLongest / .seconds(1)), \
                "gaps": \(found.gaps), "seconds_heard": \(found.heard), "is_exact": \(found.isExact), \
                "memory": \(memory), "sent": \(sent), "connections": \(origins.map(\.acceptCount))}
                """)
        } else {
            NetworkRig.say("the loop stands still")
        }
        withExtendedLifetime((good, origins)) { loop.shutdown() }
    }

    private struct Found: Sendable {
        let pauses: [Heartbeat.Pause]
        let gaps: Int
        /// In seconds.
        let heard: Double
        let isExact: Bool
    }

    /// The objects on the loop. Not checked as Sendable; sound because it is used on the loop only. Proof: after
    /// `init`, only calls posted to the loop use it.
    private final class Scene: @unchecked Sendable {
        private let loop: EventLoop
        private var client: CurlClient?
        private var heartbeat: Heartbeat?
        private var floods: [HeardStation] = []
        private var friend: HeardStation?

        init(_ loop: EventLoop) { self.loop = loop }

        func begin(_ url: String, floods urls: [String]) {
            let client = CurlClient(reactor: loop.reactor)
            self.client = client
            friend = HeardStation(url, client: client, reactor: loop.reactor)
            floods = urls.enumerated().map { number, url in
                HeardStation(url, client: client, reactor: loop.reactor, seed: UInt64(number), keepsAudio: false)
            }
            watch()
        }

        func watch() { heartbeat = Heartbeat(loop.reactor) }

        /// Stops watching, and returns the pauses so far.
        func endWatch() -> [Heartbeat.Pause] {
            defer { heartbeat = nil }
            return heartbeat?.pauses ?? []
        }

        func end(_ programme: [UInt8]) -> Found {
            let audio = friend?.audio ?? []
            let pauses = endWatch()
            let gaps = friend?.gaps ?? 0
            for station in floods { station.stop() }
            friend?.stop()
            client?.close()
            (floods, friend) = ([], nil)
            return Found(
                pauses: pauses, gaps: gaps, heard: Double(audio.count) / Double(bytesPerSecond),
                isExact: programme.starts(with: audio))
        }
    }
}
