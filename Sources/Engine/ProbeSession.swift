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
    /// The longest look, from the first audio on; until then the station's own `giveUp` counts.
    package var limit: Duration

    package init(station: StationSettings, limit: Duration = .seconds(12)) {
        self.station = station
        self.limit = limit
    }
}

/// What a station turned out to be.
package struct ProbeResult: Sendable {
    /// The address that was asked for; without credentials and query string.
    package var address: String
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

extension ProbeResult {
    /// A look that could not even begin.
    package init(failure: Failure) {
        self.init(address: "", playlists: [], seen: .zero, failure: failure)
    }
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
    private let addresses: [String]
    private var answer: Failure?
    private let tell: @Sendable (ProbeEvent) -> Void

    init(
        job: ProbeJob, client: CurlClient, group: StationGroup, reactor: any Reactor,
        tell: @escaping @Sendable (ProbeEvent) -> Void
    ) {
        station = Station(settings: job.station, client: client, reactor: reactor, group: group)
        self.reactor = reactor
        self.tell = tell
        limit = job.limit
        addresses = job.station.urls
        let sink = sink
        timer = reactor.makeTimer { sink.finish() }
    }

    func start() {
        sink.onDone = { [weak self] in self?.finished() }
        station.onNotice = { [weak self] in self?.heard($0) }
        station.hub.attach(sink)
        station.start()
    }

    func stop() { sink.finish() }

    func networkChanged() { station.networkChanged() }

    func clockStepped() { station.clockStepped() }

    private func heard(_ notice: StationNotice) {
        switch notice {
        case .live(let again): if !again { timer.arm(at: reactor.now + limit) }
        // Somebody waits for this: an answer that will be the same in a moment is the result.
        case .failed(let failure, _) where failure.failureClass.isAnswer && hasOneAddress:
            answer = failure
            return sink.finish()
        default: break
        }
        tell(.station(notice))
    }

    private var hasOneAddress: Bool { addresses.count == 1 && station.snapshot.playlists.isEmpty }

    private func finished() {
        timer.cancel()
        // The sink speaks from inside the station's delivery: leave that before closing the connection.
        reactor.defer { [self] in
            let snapshot = station.snapshot
            station.hub.detach(sink)
            station.stop()
            let failure = answer ?? sink.failure ?? (sink.format == nil ? snapshot.lastFailure ?? Self.nothing : nil)
            tell(
                .ended(
                    ProbeResult(
                        address: redactedURL(addresses[0]), info: sink.info, format: sink.format,
                        bitsPerSecond: sink.meter.bitsPerSecond,
                        bitRateMode: sink.meter.mode?.rawValue, title: sink.title, burst: snapshot.burst,
                        playlists: snapshot.playlists, seen: sink.seen, failure: failure)))
        }
    }

    private static let nothing = Failure(
        .noAudio, "no audio came", remedy: "check the address in a browser or another player")
}
