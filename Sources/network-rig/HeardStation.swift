// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport
import TestTools

/// A station, and what was received from it.
final class HeardStation: StreamSink {
    private let station: Programme
    private(set) var audio: [UInt8] = []
    private(set) var gaps = 0
    private(set) var frameTimes: [MonotonicInstant] = []
    var onAudio: (() -> Void)?

    private let keepsAudio: Bool

    init(_ url: String, client: CurlClient, reactor: any Reactor, seed: UInt64 = 1, keepsAudio: Bool = true) {
        self.keepsAudio = keepsAudio
        station = Programme(
            settings: StationSettings(urls: [url], userAgent: "Aircheck/test", seed: seed), client: client,
            reactor: reactor)
        station.hub.attach(self)
        station.start()
    }

    func stop() { station.stop() }

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk):
            guard keepsAudio else { break }
            chunk.slice.withBytes { audio += $0 }
            frameTimes.append(.now)
            onAudio?()
        case .discontinuity(let discontinuity):
            if case .gap = discontinuity.kind { gaps += 1 }
        default: break
        }
    }
}
