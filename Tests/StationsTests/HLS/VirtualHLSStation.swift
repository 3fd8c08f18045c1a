// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// A station in HLS in virtual time, and what was heard of it.
struct VirtualHLSStation {
    static let programme = Broadcast([.music(.seconds(400))], MPEGShape(sampleRate: 48_000))

    let reactor = ManualReactor()
    let servers: [VirtualHLS]
    let station: VirtualStation
    private let programme: Broadcast
    private let dates = Dates()

    /// When frames were on air, according to the station.
    private final class Dates {
        var map: AirTime?
        var dates: [(frame: Int, date: WallInstant?)] = []
    }

    init(
        _ script: HLSScript, path: String = "/live.m3u8", of programme: Broadcast = programme, isPatient: Bool = true,
        _ change: (inout StationSettings) -> Void = { _ in }
    ) {
        self.init([("radio.test", script)], path: path, of: programme, isPatient: isPatient, change)
    }

    /// The first server is asked first.
    init(
        _ scripts: [(host: String, script: HLSScript)], path: String, of programme: Broadcast, isPatient: Bool = true,
        _ change: (inout StationSettings) -> Void = { _ in }
    ) {
        let reactor = reactor
        servers = scripts.map { VirtualHLS($0.script, in: reactor) }
        let hosts = Dictionary(uniqueKeysWithValues: zip(scripts.map(\.host), servers.map(\.live)))
        station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: programme), urls: ["http://\(scripts[0].host)\(path)"],
            isPatient: isPatient, reactor: reactor, change)
        self.programme = programme
        station.sink.meddle = { [dates] event in
            switch event {
            case .airTime(let map): dates.map = map
            case .format: dates.map = nil
            case .discontinuity(let discontinuity): if case .gap = discontinuity.kind { dates.map = nil }
            case .chunk(let chunk):
                let date = dates.map?.instant(ofSample: chunk.position.samples)
                dates.dates.append((Int(chunk.position.frames), date))
            default: break
            }
        }
    }

    /// How far the dates are off at most; more than a day if a chunk has none.
    func dateError(_ outcome: VirtualStation.Outcome) -> Duration {
        dateErrors(outcome).map(\.magnitude).max() ?? .zero
    }

    /// How far the date of each chunk is off the clock of the station; more than a day if it has none.
    func dateErrors(_ outcome: VirtualStation.Outcome, _ clock: HLSDates = HLSDates()) -> [Duration] {
        dates.dates.compactMap { frame, date in
            guard let place = outcome.report.places[frame] else { return nil }
            let gained = programme.frames[place].start * clock.drift
            return date.map { $0 - airTime(ofPlace: place) - clock.offset - gained } ?? .seconds(100_000)
        }
    }

    func run(for length: Duration) -> VirtualStation.Outcome { station.run(for: length) }

    /// When the frame with this place was on air, according to the first server.
    func airTime(ofPlace place: Int) -> WallInstant { servers[0].epoch + programme.frames[place].start }
}
