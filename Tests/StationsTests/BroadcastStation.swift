// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport

/// A station in virtual time, with a sink that compares the delivered frames with the programme.
final class BroadcastStation {
    let reactor: ManualReactor
    let origin: VirtualOrigin
    let station: Station
    private let sink: Sink

    final class Sink: StreamSink {
        let tolerance: Duration? = .seconds(1) / 3
        let reactor: ManualReactor
        var heard: HeardFrames
        var formats: [StreamFormat] = []
        var gaps: [Gap] = []
        /// How many frames were delivered before each gap.
        var framesBeforeGaps: [Int] = []
        var splices: [Splice] = []
        var stretches: [Stretch] = []
        var foreign: [Stretch] { stretches.filter { $0.kind == .foreign } }
        var repeated: [Stretch] { stretches.filter { $0.kind == .repeated } }
        var discontinuities = 0
        var airTimes: [AirTime] = []
        /// The wall-clock time at which the reactor's clocks began.
        let began: WallInstant
        var hasEnded = false
        /// The time at which the newest chunk arrived.
        var newest = MonotonicInstant(nanoseconds: 0)
        /// The longest time between two chunks.
        var longestPause = Duration.zero
        var firstAfterGap: MonotonicInstant?

        init(_ programme: HeardFrames, _ reactor: ManualReactor) {
            heard = programme
            self.reactor = reactor
            began = reactor.wallNow
        }

        func receive(_ event: StreamEvent) {
            switch event {
            case .chunk(let chunk):
                heard.add(chunk)
                if newest.nanoseconds > 0 { longestPause = max(longestPause, reactor.now - newest) }
                newest = reactor.now
                if !gaps.isEmpty, firstAfterGap == nil { firstAfterGap = reactor.now }
            case .format(let format, _): formats.append(format)
            case .discontinuity(let discontinuity):
                discontinuities += 1
                guard case .gap(let gap) = discontinuity.kind else { break }
                gaps.append(gap)
                framesBeforeGaps.append(heard.count)
            case .splice(let splice): splices.append(splice)
            case .stretch(let stretch): stretches.append(stretch)
            case .ended: hasEnded = true
            case .airTime(let airTime): airTimes.append(airTime)
            case .station, .title: break
            }
        }
    }

    init(
        _ origin: (ManualReactor) -> VirtualOrigin, hearing heard: HeardFrames,
        urls: [String] = ["http://radio.test/live"],
        seed: UInt64 = 1, reactor: ManualReactor = ManualReactor(), group: StationGroup? = nil,
        _ change: (inout StationSettings) -> Void = { _ in }
    ) {
        self.reactor = reactor
        self.origin = origin(reactor)
        var settings = StationSettings(urls: urls, userAgent: "Aircheck/test", seed: seed)
        change(&settings)
        station = Station(settings: settings, client: self.origin, reactor: reactor, group: group)
        sink = Sink(heard, reactor)
        station.hub.attach(sink)
    }

    /// Starts the station, lets it run for `length`, and ends it.
    func run(for length: Duration) -> Outcome {
        station.start()
        reactor.advance(by: length)
        return end()
    }

    /// Stops the station, and returns what happened.
    func end() -> Outcome {
        let snapshot = station.snapshot
        station.stop()
        reactor.advance(by: .seconds(1))
        return Outcome(report: sink.heard.report, sink: sink, snapshot: snapshot, log: origin.log)
    }

    struct Outcome: CustomStringConvertible {
        let report: FrameReport
        let sink: Sink
        let snapshot: StationSnapshot
        let log: OriginLog

        /// Whether every frame was delivered once, in order and without a gap.
        var isWhole: Bool { report.exactStretch != nil && sink.gaps.isEmpty }

        var description: String {
            "\(report); gaps \(sink.gaps), splices \(sink.splices.count), stretches \(sink.stretches), reconnects"
                + " \(snapshot.reconnects), hedges \(snapshot.hedges), accepts \(log.accepts.count),"
                + " faults \(log.faults.count)"
        }
    }
}
