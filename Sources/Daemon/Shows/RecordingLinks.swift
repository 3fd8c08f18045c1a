// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage

/// Links each recording to the earlier recording that it continues: the one of the same station, show or request that
/// ran before it in this run of the daemon, or at the end of an earlier run.
///
/// The first sidecar of a recording names the predecessor. Once it is known when the predecessor's audio ended, the
/// time between both is entered as a gap before the first frame. For a predecessor of an earlier run, the catalog knows
/// that end, but only after the last file has been completed.
final class RecordingLinks {
    private let context: DaemonContext
    private let began: MonotonicInstant
    /// What the clock showed at ``began``.
    private let beganAt: WallInstant
    /// The newest recording for each purpose that has a file.
    private var newest: [String: String] = [:]
    /// The scheduled starts of broadcasts, by their purposes, as their first recordings have them: a reload may move
    /// the start of a show that is on.
    private var starts: [String: WallInstant] = [:]
    /// The recordings that those of this run continue.
    private var earlier: [UseID: String] = [:]
    /// The recordings of this run: how they ended, or nil while they run.
    private var ends: [String: End?] = [:]
    private var waiting: [Link] = []
    /// The recordings that may have ended before the gap at their beginning was known. The file lists them, and those
    /// that wait, because after a crash the next run completes them.
    private var unchecked: Set<String> = []
    /// The recordings under way that were asked to enter their gap.
    private var asked: Set<String> = []
    /// The recordings in ``unchecked`` of which the catalog has been asked.
    private var checking: Set<String> = []
    /// The recordings whose gaps could not be entered, for example because the disk was full. The next run tries it
    /// again.
    private var postponed: Set<String> = []
    private var hasStored = true
    /// Armed while a change waits to be stored.
    private lazy var timer = reactor.makeTimer { [weak self] in self?.write() }
    /// When the file may be written again. A thousand recordings that begin at once then write it a few times.
    private var mayWrite: MonotonicInstant
    private lazy var bound = reactor.bind(self)

    /// When no daemon ran. Stored with the recordings, because what is missing of a show may be explained by a restart
    /// before the last one.
    private(set) var downtimes = Downtimes()

    /// When the configuration asked for what. Stored with the recordings, because what is missing of a show may be
    /// explained by a change before the last restart.
    private(set) var askedTimes = AskedTimes()
    /// The last sign of life of an earlier run, until the first configuration applies.
    private var lastSign: WallInstant?
    private var hasConfiguration = false

    /// Divides a span in which audio is missing by causes.
    var whyMissing: (Asked, Range<WallInstant>) -> [RecordingResult.Cause] = { _, _ in [] }

    /// Called for each gap that was entered into a file after its recording had ended.
    var onLateGap: (Sidecar.Gap, FinishedBundle) -> Void = { _, _ in }

    private var reactor: any Reactor { context.reactor }

    /// The file in the state folder from which the next run continues the recordings.
    static let fileName = "recordings-under-way.json"

    /// The end of a recording of this run.
    private struct End {
        /// When it ended on air; nil if it has no file.
        var at: WallInstant?
        /// The gap at its end, which the recording that follows enters; nil if nothing was missing.
        var left: Sidecar.Gap?

        init(_ report: RecordingReport) { (at, left) = (report.end, report.leftGaps.first) }
    }

    /// A recording whose predecessor's end is not known yet.
    private struct Link: Hashable {
        var use: UseID
        var recording: String
        var asked: Asked
        var earlier: String
        var start: WallInstant
        var wantedFrom: WallInstant?
        /// Whether the catalog has been asked.
        var isAsked = false
    }

    /// A recording that the configuration does not want this long after the start is not continued any more.
    private static let patience = Duration.seconds(30)
    /// The minimum interval between writes of the file, for each recording in it: a thousand cost as much as a few.
    private static let leastInterval = Duration.milliseconds(1)
    /// How long the start of a broadcast is known that is not recorded any more.
    private static let memory = Duration.seconds(3 * 86_400)
    /// How much later than on air audio is written: a station in HLS is a minute behind, and recordings wait for what
    /// is missing.
    private static let farthestBehind = Duration.seconds(180)

    init(_ context: DaemonContext) {
        self.context = context
        began = context.reactor.now
        mayWrite = began
        beganAt = context.reactor.wallNow
    }

    /// When this run began. If the clock was set forward since then, nobody knows whether it had been right before.
    var start: WallInstant {
        let start = reactor.readClocks().wall(at: began)
        return ClockTrust.isSet(beganAt) ? min(beganAt, start) : start
    }

    // MARK: Recordings

    /// Links a recording that is about to begin. `scheduled`: the start of a show, as it is configured now. Returns the
    /// ID of the recording that it continues; nil if there is none.
    func begin(_ use: UseID, _ key: UseKey, scheduled: WallInstant? = nil) -> String? {
        earlier[use] = newest[key.description]
        if earlier[use] == nil { starts[key.description] = scheduled }
        return earlier[use]
    }

    /// The start by which all recordings of a broadcast belong together. `scheduled`: as it is configured now.
    func start(of key: UseKey, scheduled: WallInstant) -> WallInstant { starts[key.description] ?? scheduled }

    /// Unlinks a recording from that of the earlier run, which had another station. Does nothing if it has a file
    /// already.
    func beginAnew(_ use: UseID, _ key: UseKey) {
        guard let last = earlier[use], newest[key.description] == last else { return }
        (earlier[use], newest[key.description]) = (nil, nil)
        context.perform(.ask(use, RecordingRequest.continues(nil)))
    }

    /// Lets the next recording for this purpose continue none.
    func forget(_ key: UseKey) {
        if newest.removeValue(forKey: key.description) != nil { store() }
    }

    /// Whether a recording continues an earlier one.
    func continues(_ use: UseID) -> Bool { earlier[use] != nil }

    /// When a recording of this run ended on air; nil if it runs, or has no file.
    func end(of recording: String) -> WallInstant? { (ends[recording] ?? nil)?.at }

    /// Whether a recording was begun by an earlier run.
    func isOfEarlierRun(_ recording: String) -> Bool { ends[recording] == nil }

    /// The air time from which on recordings of an earlier run may lack audio of a station; nil if the clock does not
    /// tell.
    func resumption(of station: String) -> WallInstant? {
        downtimes.lastAudio(of: station).flatMap { $0 < reactor.wallNow ? $0 - Self.farthestBehind : nil }
    }

    /// Makes a recording, which has its first file, the newest for its purpose. `start` is the air time of its first
    /// frame. Before `wantedFrom`, if there is such a time, nothing was to be recorded: a show may have been moved
    /// while it was on.
    func began(
        _ use: UseID, _ key: UseKey, recording: String, at start: WallInstant, wantedFrom: WallInstant? = nil
    ) {
        // If the use before this one got its first file only after this one had begun, that use is the predecessor.
        if let last = newest[key.description], last != recording, last != earlier[use] {
            earlier[use] = last
            context.perform(.ask(use, RecordingRequest.continues(last)))
        }
        if newest.updateValue(recording, forKey: key.description) != recording { store() }
        ends[recording] = .some(nil)
        guard let earlier = earlier[use] else { return }
        waiting.append(
            Link(
                use: use, recording: recording, asked: Asked(key), earlier: earlier, start: start,
                wantedFrom: wantedFrom))
        resolve()
    }

    /// Passes the end of a recording to the one that follows. `next`: the use that has replaced it, if any.
    func ended(_ use: UseID, _ recording: String, _ report: RecordingReport, next: UseID?) {
        earlier[use] = nil
        if ends[recording] != nil { ends[recording] = .some(End(report)) }
        if let next {
            let end = report.end ?? earlier[next].flatMap { self.end(of: $0) }
            context.perform(.ask(next, RecordingRequest.follows(end)))
        }
        guard ends[recording] != nil else { return }
        // A recording that was ending when it was asked to enter its gap has not done so.
        if asked.remove(recording) != nil { unchecked.insert(recording) }
        resolve()
        // What the catalog finds before a recording depends on whether the recording before it is of this run.
        guard unchecked.isEmpty, checking.isEmpty else { return }
        let needed = Set(newest.values).union(waiting.map(\.earlier)).union(earlier.values)
        ends = ends.filter { $0.value == nil || needed.contains($0.key) }
    }

    /// Forgets the recordings that do not continue, because nothing asks for them any more.
    func keep(only keys: some Sequence<UseKey>) {
        guard reactor.now - began >= Self.patience else { return }
        let wanted = Set(keys.lazy.map(\.description))
        let kept = newest.filter { wanted.contains($0.key) }
        // A result may be told a day after the end.
        starts = starts.filter { wanted.contains($0.key) || reactor.wallNow - $0.value < Self.memory }
        guard kept.count < newest.count || !hasStored else { return }
        newest = kept
        store()
    }

    // MARK: Gaps

    /// Asks the catalog for the ends of recordings of earlier runs. Call it when the catalog knows all files.
    func lookUpEnds() {
        guard let catalog = context.catalog else { return }
        if !unchecked.isEmpty { lookUpGaps(catalog) }
        for index in waiting.indices where ends[waiting[index].earlier] == nil && !waiting[index].isAsked {
            waiting[index].isAsked = true
            let id = waiting[index].earlier
            catalog.ask({ store throws(CatalogError) -> WallInstant?? in
                guard try store.isCurrent else { return nil }
                return .some(try store.end(ofRecording: id))
            }) { [bound] result in
                bound.tell { $0.found(result, of: id) }
            }
        }
    }

    /// Handles an answer of the catalog; nil if the catalog is being rebuilt, so that it has to be asked again.
    private func found(_ result: Result<WallInstant??, CatalogError>, of recording: String) {
        let links = waiting.filter { $0.earlier == recording }
        guard case .success(let found) = result else {
            postponed.formUnion(links.map(\.recording))
            return waiting.removeAll { $0.earlier == recording }
        }
        guard let end = found else {
            for index in waiting.indices where waiting[index].earlier == recording { waiting[index].isAsked = false }
            return
        }
        for link in links { enter(link, end) }
        waiting.removeAll { $0.earlier == recording }
        if !unchecked.isEmpty { lookUpEnds() }
    }

    /// Looks for gaps at the beginnings of ``unchecked``, which are over.
    private func lookUpGaps(_ catalog: RecordingsCatalog) {
        let (gaps, ids) = (LeadingGaps(folder: context.storage.recordings, system: context.system), unchecked)
        (checking, unchecked) = (checking.union(ids), [])
        catalog.ask({ store throws(CatalogError) -> [LeadingGaps.Missing]? in
            guard try store.isCurrent else { return nil }
            var found: [LeadingGaps.Missing] = []
            for id in ids.sorted() { found += [try gaps.missing(before: id, in: store)].compactMap(\.self) }
            return found
        }) { [bound] result in
            bound.tell { links in
                guard case .success(let found) = result else { return links.checked(ids, failed: ids) }
                guard let found else {
                    // The catalog is being rebuilt.
                    links.checking.subtract(ids)
                    return links.unchecked.formUnion(ids)
                }
                links.enter(found, of: ids, gaps, catalog)
            }
        }
    }

    /// Enters the gaps at the beginnings of recordings that are over.
    private func enter(
        _ found: [LeadingGaps.Missing], of ids: Set<String>, _ gaps: LeadingGaps, _ catalog: RecordingsCatalog
    ) {
        let explained = found.map { missing in
            (missing: missing, causes: missing.span.map { causes(of: $0, missing.asked, after: missing.earlier) } ?? [])
        }.filter { $0.missing.span == nil || !$0.causes.isEmpty }
        catalog.ask({ store throws(CatalogError) -> [LeadingGaps.Completed?] in
            explained.map { gaps.enter($0.causes, $0.missing, in: store) }
        }) { [bound] result in
            let completed = (try? result.get()) ?? explained.map { _ in nil }
            let failed = zip(explained, completed).filter { $0.1 == nil }.map(\.0.missing.recording)
            bound.tell { links in
                for completed in completed.compactMap(\.self) {
                    for gap in completed.gaps { links.onLateGap(gap, completed.bundle) }
                }
                links.checked(ids, failed: Set(failed))
            }
        }
    }

    private func checked(_ ids: Set<String>, failed: Set<String>) {
        checking.subtract(ids)
        postponed.formUnion(failed)
        store()
    }

    /// Divides the time between two recordings by causes. If the earlier recording is of this run, only its replacement
    /// took time, unless audio was missing at its end. Spans in which the recording was not asked for are left out.
    private func causes(
        of missing: Range<WallInstant>, _ asked: Asked, after earlier: String
    ) -> [RecordingResult.Cause] {
        let end = ends[earlier] ?? nil
        let known = askedTimes.causes(of: asked)
        return missing.divided(by: known, least: min(RecordingResult.tolerance, missing.length)) { rest in
            guard let end else { return whyMissing(asked, rest) }
            return [.init(span: rest, text: end.left?.cause ?? "the recording began anew")]
        }.filter { $0.text != AskedTimes.cause }
    }

    /// What is missing after the recording that a use was to continue; nil if nothing was missing at the end of that
    /// recording. The use has no file, so no sidecar has this gap. `end`: after it, nothing was to be recorded.
    func openGap(before use: UseID, until end: WallInstant) -> Sidecar.Gap? {
        guard var gap = earlier[use].flatMap({ ends[$0] ?? nil })?.left else { return nil }
        gap.milliseconds = max(.zero, end - gap.at.instant).wholeMilliseconds
        return gap
    }

    private func resolve() {
        waiting.removeAll { link in
            guard let known = ends[link.earlier], let end = known else { return false }
            enter(link, end.at)
            return true
        }
    }

    private func enter(_ link: Link, _ end: WallInstant?) {
        guard let end = end.map({ max($0, link.wantedFrom ?? $0) }), link.start - end >= LeadingGaps.least
        else { return }
        guard case .some(nil) = ends[link.recording] else {
            // The recording has ended meanwhile, so its files have to be changed.
            unchecked.insert(link.recording)
            return
        }
        asked.insert(link.recording)
        // The gaps are entered from the last to the first, because each ends where the next one begins.
        for cause in causes(of: end..<link.start, link.asked, after: link.earlier).reversed() {
            let length = cause.span.upperBound - cause.span.lowerBound
            let gap = Gap(at: cause.span.lowerBound, length: length, cause: cause.text)
            context.perform(.ask(link.use, RecordingRequest.missing(gap)))
        }
    }

    // MARK: The file

    /// Lets a configuration apply from now on or, if it is the first one of this run, since the end of the last run.
    func ask(_ configuration: Configuration) {
        let hasChanged = askedTimes.apply(configuration, at: min(lastSign ?? reactor.wallNow, reactor.wallNow))
        guard hasConfiguration else {
            // The file is not written yet, because it would lose the downtimes.
            return (hasConfiguration, lastSign, hasStored) = (true, nil, hasStored && !hasChanged)
        }
        if hasChanged { store() }
    }

    /// Replaces the broadcasts that are on: see ``AskedTimes/change(_:to:at:moved:)``.
    func change(_ old: [ShowAiring], to new: [ShowAiring], at now: WallInstant, moved: (UseKey) -> ShowAiring?) {
        if askedTimes.change(old, to: new, at: now, moved: moved) { store() }
    }

    /// Continues the recordings of an earlier run, as stored in its file. `lastSign`: its last sign of life, with these
    /// faults.
    func resume(_ json: JSONValue, lastSign: WallInstant? = nil, faults: StandingFaults = StandingFaults()) {
        (self.lastSign, askedTimes) = (lastSign, AskedTimes(json["asked"] ?? .null))
        if let lastSign {
            downtimes = Downtimes(json["downtimes"] ?? .null, lastSign: lastSign, faults: faults.faults)
        }
        guard case .object(let recordings)? = json["recordings"] else { return }
        let stored = recordings.members.prefix(Self.most).compactMap { member in
            member.value.stringValue.map { (member.name, $0) }
        }
        newest = Dictionary(stored) { _, last in last }
        for key in newest.keys {
            starts[key] = json["starts"]?[key]?.timeValue?.instant
        }
        let unlinked = (json["unlinked"]?.arrayValue ?? []).prefix(Self.most).compactMap(\.stringValue)
        unchecked = Set(newest.values).union(unlinked)
    }

    /// Stores what is known, at once or soon.
    func store() {
        hasStored = false
        if mayWrite <= reactor.now { write() } else { timer.arm(at: mayWrite) }
    }

    /// Stores what waits: the daemon has ended everything.
    func stop() { if timer.isArmed { write() } }

    private func write() {
        timer.cancel()
        mayWrite = reactor.now + Self.leastInterval * newest.count
        let entries = newest.sorted { $0.key < $1.key }.map { key, id in
            (key: key, recording: id.json, start: starts[key]?.json)
        }
        var (underWay, begun) = (JSONObject(), JSONObject())
        let fitting = StateFile.fitting(entries, in: Self.room) {
            [.string($0.key + $0.key), $0.recording, $0.start ?? .null]
        }
        for entry in fitting {
            underWay.append(entry.key, entry.recording)
            if let start = entry.start { begun.append(entry.key, start) }
        }
        let unlinked = unchecked.union(checking).union(postponed).union(waiting.map(\.recording)).sorted()
            .map(JSONValue.string)
        let json: JSONValue = [
            "recordings": .object(underWay), "starts": .object(begun), "downtimes": downtimes.json(start: start),
            "unlinked": .array(StateFile.fitting(unlinked, in: Self.room) { $0 }),
            "asked": askedTimes.json(in: Self.room),
        ]
        context.store(json, in: Self.fileName) { [weak self] fault in
            if fault == nil { self?.hasStored = true }
        }
    }

    /// The maximum number of entries of each kind that are read from the file.
    private static let most = 10_000
    /// The room in the file for the entries of each kind; the downtimes take the rest.
    private static let room = StateFile.room / 3
}
