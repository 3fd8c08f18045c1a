// SPDX-License-Identifier: MIT

import EventLoop
import Playback
import RadioCore
import Stations

/// Opens what has an address: a file, or a station.
final class AddressOpener: ItemOpener {
    private var done: ((Result<OpenItem, Failure>) -> Void)?

    init(
        _ settings: StationSettings, from start: Duration, _ engine: EngineContext,
        done: @escaping (Result<OpenItem, Failure>) -> Void
    ) {
        self.done = done
        let station = Station(
            settings: settings, client: engine.client(), reactor: engine.reactor, group: engine.group)
        // Nobody is told from inside the call.
        engine.reactor.defer { [weak self] in
            self?.done.take()?(.success(OpenItem(programme: station, passage: Passage())))
        }
    }

    func cancel() { done = nil }
}
