// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import Instants
package import RadioCore
import RadioFormats
import Recorder

extension UseKey.Kind {
    /// A broadcast of a show. `time` is nil for the first broadcast of the date.
    package static func airing(show: String, date: CalendarDate, time: TimeOfDay? = nil) -> Self {
        Self("show", rank: 0, broadcast: UseKey.Broadcast(show: show, date: date, time: time))
    }
}

/// Records the broadcasts of shows.
///
/// The ``ShowCalendar`` says which broadcasts are on, and ``ShowVerdicts`` reports what became of them.
final class AiringPurpose: Purpose {
    private let context: DaemonContext
    private let verdicts: ShowVerdicts
    private let links: RecordingLinks
    private var settings: LoadedConfiguration?
    private(set) var calendar: ShowCalendar

    /// Called when a user's request has changed what should run.
    var onChange: () -> Void = {}

    init(_ context: DaemonContext, verdicts: ShowVerdicts, links: RecordingLinks) {
        self.context = context
        self.verdicts = verdicts
        self.links = links
        calendar = ShowCalendar([], stationsAtOnce: nil, zones: context.values.zones)
        verdicts.zone = { [weak self, values = context.values] in self?.zones($0.zone) ?? values.zone }
        verdicts.start = { [links] in links.start(of: $0.key, scheduled: $0.window.lowerBound) }
    }

    private var reactor: any Reactor { context.reactor }

    func use(_ settings: LoadedConfiguration) {
        let isFirst = self.settings == nil
        self.settings = settings
        makeCalendar(isFirst: isFirst)
    }

    /// The broadcasts that users do not want.
    private var skipped: Set<UseKey> = [] {
        didSet {
            // Before the first configuration, there is nothing to plan.
            guard skipped != oldValue, settings?.configuration.stations.isEmpty == false else { return }
            makeCalendar()
            onChange()
        }
    }

    /// Takes over the broadcasts that an earlier run of the daemon was to skip.
    func resume(_ earlier: JSONValue) { skipped = SkippedBroadcasts.read(earlier) }

    /// Skips broadcasts, or takes that back. Throws if too many are skipped.
    func skip(_ broadcasts: Set<UseKey>, _ isSkipped: Bool) throws(Failure) {
        let oldest = CalendarDate(CivilTime(reactor.wallNow, in: context.values.zone)).adding(days: -2)
        // A broadcast that is over is forgotten, but not before no result can be reported any more.
        var skipped = skipped.filter { $0.broadcast.map { $0.date >= oldest } ?? false }
        if isSkipped { skipped.formUnion(broadcasts) } else { skipped.subtract(broadcasts) }
        guard skipped.count <= SkippedBroadcasts.most else {
            throw Failure(
                .serverBusy, "too many broadcasts are skipped", remedy: "write further ones into the configuration")
        }
        self.skipped = skipped
        context.store(SkippedBroadcasts.json(skipped), in: SkippedBroadcasts.fileName) { [context] fault in
            guard let fault else { return }
            let failure = Failure(
                .storage, "the skipped broadcasts could not be saved in \(context.storage.state): \(fault)",
                remedy: "free some space there, and skip them again; otherwise, a restart forgets them")
            context.tell(.notRemembered(failure))
        }
    }

    /// `isFirst`: whether this is the first configuration of a run, which changes nothing.
    private func makeCalendar(isFirst: Bool = false) {
        guard let configuration = settings?.configuration else { return }
        let now = reactor.wallNow
        let before = calendar.airings(at: now)
        calendar = ShowCalendar(
            configuration.stations, stationsAtOnce: configuration.storage.stationsAtOnce, skipped: skipped,
            zones: zones)
        if !isFirst, ClockTrust.isSet(now) {
            links.change(before, to: calendar.airings(at: now), at: now) { calendar[$0] }
        }
    }

    /// The rules of zones: those of shows as they were when the configuration was read.
    private var zones: ShowCalendar.Zones {
        { [zones = context.values.zones, known = settings?.zones ?? [:]] in known[$0] ?? zones($0) }
    }

    func add(to plan: inout RunningPlan, at moment: PlanMoment) {
        let hasClock = ClockTrust.isSet(moment.clocks.wall)
        if hasClock { verdicts.judgeUnseen(in: calendar) }
        var present = hasClock ? calendar.present(at: moment.clocks.wall) : ShowCalendar.Present()
        present.recorded.removeAll { verdicts.isOver($0) }
        for airing in verdicts.update(present, { calendar[$0] }) { context.tell(.showRefused(airing)) }
        // When a recording is over, its files may not be finished yet. So the recording stays in the plan while it
        // finishes them, but is not begun again.
        let ending = present.ending.filter { moment.isInUse($0.key) }
        let byStation = Dictionary(grouping: present.recorded + ending, by: \.station)
        for station in moment.settings.configuration.stations {
            for airing in byStation[station.id] ?? [] {
                let show = station.shows.first { $0.show.id == airing.show.id }
                var use = RecordingPlan(of: station, show?.files, in: moment.settings)
                use.show = RecordedShow(airing.show, date: airing.airing.date)
                use.span = .airTime(airing.window)
                plan.add(airing.key, use, isOver: ending.contains(airing))
            }
        }
    }

    var nextChange: MonotonicInstant? {
        let now = reactor.wallNow
        return ClockTrust.isSet(now) ? reactor.now + (calendar.nextChange(after: now) - now) : nil
    }

    func window(of key: UseKey) -> Range<WallInstant>? { verdicts.window(of: key) }

    func ended(_ key: UseKey, _ recording: String, _ report: RecordingReport) {
        verdicts.add(recording, report, to: key)
    }

    func settle(isRunning: (UseKey) -> Bool, knowsFiles: Bool) { verdicts.settle(isRunning: isRunning) }

    // MARK: Answers

    /// What finds the broadcasts that users mean.
    var requests: ShowRequests {
        ShowRequests(stations: settings?.configuration.stations ?? [], zones: zones, now: reactor.wallNow)
    }

    /// The next broadcast whose recording begins in the next two weeks; nil if there is none.
    var nextShow: ShowAiring? {
        let now = reactor.wallNow
        return calendar.airings(overlapping: now..<now + Self.foresight, atMost: Self.mostForeseen)
            .first { $0.window.lowerBound > now }
    }

    private static let foresight = Duration.seconds(14 * 86_400)
    /// More shows than can be on at one moment.
    private static let mostForeseen = 10_000
}
