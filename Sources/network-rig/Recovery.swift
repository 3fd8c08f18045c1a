// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import Synchronization
import TestSupport
import TestTools

/// Measures how long stations take to be received once their names can be resolved again.
enum Recovery {
    private static let stations = 8
    private static let outage = Duration.milliseconds(12_500)

    static func run(while mood: NameServer.Mood) throws {
        let nameServer = try NameServer(mood)
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(frames(40)), .stall(Gate())])
        CurlLibrary.prepareResolver()
        let loop = try EventLoop(name: "rig")
        try loop.start()
        let heard = Watched<[Int: MonotonicInstant]>([:])
        loop.post {
            let scene = Scene(loop.reactor)
            for number in 0..<stations {
                scene.receive("http://station\(number).invalid:\(origin.port)/", seed: number) {
                    heard.change { $0[number] = $0[number] ?? .now }
                }
            }
        }
        let nobody = heard.wait(within: outage) { $0.isEmpty ? nil : $0 } == nil
        let began = MonotonicInstant.now
        nameServer.become(.answering)
        let all = heard.wait(within: .seconds(30)) { $0.count == stations ? $0 : nil } ?? [:]
        let slowest = all.values.map { ($0 - began) / .seconds(1) }.max() ?? 99
        NetworkRig.say("{\"heard\": \(all.count), \"nobody_before\": \(nobody), \"slowest\": \(slowest)}")
        withExtendedLifetime(origin) { loop.shutdown() }
    }

    /// The stations on the loop, which retain each other until the process ends.
    private final class Scene {
        private let reactor: any Reactor
        private let client: CurlClient
        private var stations: [HeardStation] = []

        init(_ reactor: any Reactor) {
            self.reactor = reactor
            client = CurlClient(reactor: reactor)
        }

        func receive(_ url: String, seed: Int, _ onAudio: @escaping () -> Void) {
            let station = HeardStation(url, client: client, reactor: reactor, seed: UInt64(seed))
            station.onAudio = {
                // Retains the scene until the end.
                withExtendedLifetime(self) { onAudio() }
            }
            stations.append(station)
        }
    }
}
