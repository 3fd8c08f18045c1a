// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestTools

/// A station drawn at random from a seed: one to three servers with the same programme, whose connections meet
/// ``ChanceFaults``.
///
///     let chance = try ChanceStation(seed: 17)
///     let origin = VirtualOrigin(hosts: chance.scripts(), reactor: reactor)
///
/// The same seed always yields the same station.
package struct ChanceStation: Sendable, CustomStringConvertible {
    package let seed: Int
    package let programme: ChanceProgramme
    package let broadcast: Broadcast
    /// Recognises the programme's frames.
    package let heard: HeardFrames
    /// How long the programme has been on air at the start.
    package let onAir: Duration
    package let servers: [ChanceServer]

    /// How long a station runs in a test.
    package static let length = Duration.seconds(150)

    package init(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        self.seed = seed
        programme = ChanceFaults.choice(ChanceProgramme.drawn, &random)
        (broadcast, heard) = try programme.made()
        let onAir = Duration.seconds(Double.random(in: 35..<80, using: &random))
        let count = ChanceFaults.choice([1, 1, 2, 3], &random)
        let burst = ChanceFaults.choice([0.3, 1, 2, 4, 5, 8, 15], &random)
        var server = ChanceServer(broadcast, onAir: onAir, seed: seed)
        server.tick = .milliseconds(ChanceFaults.choice([20, 50, 100, 250, 500, 1_000], &random))
        server.block = ChanceFaults.happens(0.25, &random) ? 1_400 : 1
        let interval = ChanceFaults.choice([nil, nil, 8_192, 16_000, 1_000], &random)
        server.interval = programme.hasMetadata ? interval : nil
        server.isForOne = count == 1 && ChanceFaults.happens(0.2, &random)
        let hasLags = ChanceFaults.happens(0.5, &random)
        var servers: [ChanceServer] = []
        for number in 0..<count {
            server.number = number
            let isUsual = ChanceFaults.happens(0.6, &random)
            server.burst = .seconds(isUsual ? burst : ChanceFaults.choice([0.3, 2, 6, 12], &random))
            let lag = ChanceFaults.choice([0, 0.4, 2, 5, 12, 20], &random)
            server.lag = hasLags && number > 0 ? .seconds(lag) : .zero
            servers.append(server)
        }
        (self.onAir, self.servers) = (onAir, servers)
    }

    package var urls: [String] { servers.map { "http://\($0.host)/live" } }

    /// A script for each server, by its host. The scripts of each call start anew.
    package func scripts() -> [String: LiveScript] {
        Dictionary(uniqueKeysWithValues: servers.map { ($0.host, $0.script()) })
    }

    package var description: String {
        let servers = servers.map { "\($0)" }.joined(separator: "; ")
        return "seed \(seed): \(programme), on air for \(onAir.inSeconds) s; \(servers)"
    }
}

/// A server of a ``ChanceStation``.
package struct ChanceServer: Sendable, CustomStringConvertible {
    let broadcast: Broadcast
    let onAir: Duration
    let seed: Int
    var number = 0
    /// How far it is behind the programme.
    package internal(set) var lag = Duration.zero
    var burst = Duration.zero
    var tick = Duration.zero
    /// The size of the blocks in bytes; 1 if whole frames are sent.
    var block = 1
    var interval: Int?
    /// Whether it refuses a second connection.
    var isForOne = false

    init(_ broadcast: Broadcast, onAir: Duration, seed: Int) {
        (self.broadcast, self.onAir, self.seed) = (broadcast, onAir, seed)
    }

    package var host: String { "m\(number).test" }

    package var description: String {
        let facts = [
            "burst \(burst.inSeconds) s", "lag \(lag.inSeconds) s", "tick \(tick.inSeconds) s",
            block > 1 ? "blocks" : nil, interval.map { "metadata after \($0)" }, isForOne ? "one connection" : nil,
        ]
        return "\(host): \(facts.compactMap(\.self).joined(separator: ", "))"
    }

    /// What it does. The script remembers until when the server refuses connections.
    package func script() -> LiveScript {
        let refusedUntil = Watched(Duration.zero)
        return LiveScript(onAir: onAir) { visit in
            var random = SplitMix64(seed: UInt64((seed * 4 + number) * 1_000 + visit.number))
            guard visit.time >= refusedUntil.value else {
                return ChanceFaults.happens(0.5, &random) ? .status(503) : .hangUp
            }
            if isForOne, visit.others > 0 { return .status(403) }
            let (stream, refusal) = stream(at: visit.time, &random)
            if let refusal {
                refusedUntil.change { $0 = visit.time + stream.headDelay + refusal.from + refusal.length }
            }
            return .stream(stream)
        }
    }

    private func stream(
        at time: Duration, _ random: inout SplitMix64
    ) -> (LiveStream, refusal: (from: Duration, length: Duration)?) {
        var stream = LiveStream(broadcast, lag: lag, block: block)
        let delay = Double.random(in: 1..<20, using: &random)
        if ChanceFaults.happens(0.05, &random) { stream.headDelay = .seconds(delay) }
        let now = onAir + time + stream.headDelay - lag
        stream.burst = broadcast.edge(at: now) - broadcast.edge(at: max(.zero, now - burst))
        stream.burstBeginsWithFrame = true
        stream.tick = tick
        if ChanceFaults.happens(0.9, &random) { stream.interval = interval }
        let faults = ChanceFaults(length: ChanceStation.length, &random)
        stream.faults = faults.faults
        return (stream, faults.refusal)
    }
}
