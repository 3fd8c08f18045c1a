// SPDX-License-Identifier: MIT

import Analysis
import CurlClient
import EventLoop
import Instants
package import RadioCore
package import RadioFormats
package import Stations

/// What to look at.
package struct ProbeJob: Sendable {
    package var station: StationSettings
    /// The longest look.
    package var limit: Duration

    package init(station: StationSettings, limit: Duration = .seconds(12)) {
        self.station = station
        self.limit = limit
    }
}

/// What a station turned out to be.
package struct ProbeResult: Sendable {
    package var info: StationInfo?
    package var format: StreamFormat?
    package var bitsPerSecond: Double?
    /// CBR, ABR or VBR.
    package var bitRateMode: String?
    package var title: String?
    /// How much audio came at once on connect; nil where the look was too short, or the source is a file.
    package var burst: Duration?
    package var playlists: [String]
    /// How much audio the figures rest on.
    package var seen: Duration
    package var failure: Failure?
}

package enum ProbeEvent: Sendable {
    case station(StationNotice)
    case ended(ProbeResult)
}

/// One look at a station. Confined to the loop's thread.
final class ProbeSession {
    private let station: Station
    private let sink = StationProbe()
    private let timer: any ReactorTimer
    private let reactor: any Reactor
    private let limit: Duration
    private let tell: @Sendable (ProbeEvent) -> Void

    init(job: ProbeJob, client: CurlClient, reactor: any Reactor, tell: @escaping @Sendable (ProbeEvent) -> Void) {
        station = Station(settings: job.station, client: client, reactor: reactor)
        self.reactor = reactor
        self.tell = tell
        limit = job.limit
        let sink = sink
        timer = reactor.makeTimer { sink.finish() }
    }

    func start() {
        sink.onDone = { [weak self] in self?.finished() }
        station.onNotice = { [tell] notice in tell(.station(notice)) }
        station.hub.attach(sink)
        timer.arm(at: reactor.now + limit)
        station.start()
    }

    func stop() { sink.finish() }

    private func finished() {
        timer.cancel()
        // The sink speaks from inside the station's delivery: leave that before closing the connection.
        reactor.defer { [self] in
            let snapshot = station.snapshot
            station.hub.detach(sink)
            station.stop()
            let failure = sink.failure ?? (sink.format == nil ? snapshot.lastFailure ?? Self.nothing : nil)
            tell(
                .ended(
                    ProbeResult(
                        info: sink.info, format: sink.format, bitsPerSecond: sink.meter.bitsPerSecond,
                        bitRateMode: sink.meter.mode?.rawValue, title: sink.title, burst: snapshot.burst,
                        playlists: snapshot.playlists, seen: sink.seen, failure: failure)))
        }
    }

    private static let nothing = Failure(
        .noAudio, "no audio came", remedy: "check the address in a browser or another player")
}
