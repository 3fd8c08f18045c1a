// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import TestSupport
import TestTools

/// Measures how long a station is interrupted if its connection breaks at a time when its name can no longer be
/// resolved.
enum Reconnect {
    /// Longer than curl itself caches a name.
    private static let length = 11

    static func run() throws {
        let nameServer = try NameServer(.answering)
        let (cut, before) = (Gate(), frames(length * bytesPerSecond / frameLength))
        // The second connection begins with a burst, as the connections of real stations do, so that the audio after
        // the burst is recognised as new at once.
        let back = before.suffix(40 * frameLength) + frames(40, seed: 2)
        let origin = try ScriptedOrigin(
            [
                .request, .icyHead(),
                .pace(before, bytesPerSecond: bytesPerSecond),
                .open(cut),
            ], [.request, .icyHead(), .send(Array(back)), .stall(Gate())])
        CurlLibrary.prepareResolver()
        let loop = try EventLoop(name: "rig")
        try loop.start()
        let times = Watched<[MonotonicInstant]>([])
        loop.post {
            let client = CurlClient(reactor: loop.reactor)
            let station = HeardStation("http://station.invalid:\(origin.port)/", client: client, reactor: loop.reactor)
            station.onAudio = { withExtendedLifetime(station) { times.change { $0.append(.now) } } }
        }
        guard times.wait(within: .seconds(10), for: { $0.isEmpty ? nil : $0 }) != nil else {
            throw RigError("the station is not heard at all")
        }
        nameServer.become(.silent)
        _ = cut.wait(within: .seconds(30))
        let began = MonotonicInstant.now
        // Audio sent before the cut may still arrive after it. So only audio that arrives after the next connection was
        // made counts.
        let again = times.wait(within: .seconds(30)) { times in
            guard origin.acceptCount > 1 else { return nil as MonotonicInstant? }
            return times.first { $0 > origin.acceptTimes[1] }
        }
        let after = again.map { ($0 - began) / .seconds(1) } ?? 99
        NetworkRig.say("{\"accepts\": \(origin.acceptCount), \"heard_again_after\": \(after)}")
        loop.shutdown()
    }
}
