// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Retention with a catalog and files, some of which were deleted by hand.
struct RetentionRunTests {
    private static let now = WallInstant(nanoseconds: 1_795_608_000_000_000_000)
    private let folder: TemporaryFolder
    private let store: CatalogStore

    init() throws {
        folder = try TemporaryFolder()
        store = try CatalogStore(folder: folder.path)
        try store.beginRebuilding()
        try store.finishRebuilding()
    }

    @Test("Recordings that were deleted by hand do not stop retention, and are forgotten") func deletedByHand() throws {
        for age in 0..<15 { try record(daysAgo: age) }
        for age in 3..<15 { #expect(unlink(folder.file("r\(age).mp3")) == 0) }
        let outcome = try run(leastFree: 100_000, nil, Self.fullDisk)
        // The oldest are refused first.
        #expect(Set(outcome.deletions.filter { $0.refusal == nil }.map(\.recording)) == ["r0", "r1", "r2"])
        #expect(try store.recordings(CatalogQuery()).isEmpty)
        #expect(try run(leastFree: 100_000, nil, Self.fullDisk).deletions.isEmpty)
    }

    @Test("A hundred recordings that cannot be deleted do not keep others from being deleted") func undeletable() throws
    {
        for age in 0..<152 { try record(daysAgo: age) }
        for age in 2..<152 {
            let name = "r\(age).json"
            var sidecar = try #require(Sidecar(parsing: try folder.read(name)))
            sidecar.isProtected = true
            try folder.write(name, String(decoding: sidecar.encoded, as: UTF8.self))
        }
        let outcome = try run(leastFree: nil, RetentionRule(last: 1))
        #expect(outcome.deletions.filter { $0.refusal == nil }.map(\.recording) == ["r1"])
        #expect(outcome.deletions.count == 151)
    }

    @Test("A recording of a station that is not configured stays, even if space is short")
    func unconfiguredStation() throws {
        try record(daysAgo: 1, station: "gone")
        #expect(try run(leastFree: 10_000, nil, Self.fullDisk).deletions.isEmpty)
    }

    @Test("Nothing is deleted without a rule, however full the disk is") func noRule() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        #expect(try run(leastFree: nil).deletions.isEmpty)
    }

    @Test("A disk that cannot be measured keeps everything, and is reported once until it can be measured")
    func unmeasuredDisk() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        let system = FaultySystem()
        system.setErrors(["free": EIO])
        var rule = RetentionRule()
        rule.last = 1
        let outcome = try run(leastFree: .max, rule, system)
        #expect(outcome.deletions.isEmpty && outcome.free == nil && outcome.problem != nil)

        var news = RetentionNews()
        #expect(news.isNew(outcome) && !news.isNew(outcome))
        system.setErrors([:])
        let measured = try run(leastFree: nil, rule, system)
        #expect(Set(measured.deletions.map(\.recording)) == ["r1", "r2"] && measured.problem == nil)
        #expect(news.isNew(measured) && news.isNew(outcome))
    }

    @Test("Recordings whose disk is not mounted are not forgotten") func unmountedDisk() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        let point = try TemporaryFolder()
        let outcome = try run(leastFree: .max, RetentionRule(last: 1), in: point.path)
        #expect(outcome.deletions.isEmpty && outcome.problem?.contains("mounted") == true)
        #expect(try store.recordings(CatalogQuery()).count == 3)
        #expect(try run(leastFree: nil, RetentionRule(last: 1)).deletions.count == 2)
    }

    @Test("A recordings folder that does not exist yet is not a problem") func missingFolder() throws {
        let outcome = try run(leastFree: .max, in: folder.file("none"))
        #expect(outcome.problem == nil && outcome.deletions.isEmpty)
    }

    @Test("Nothing is too old while the clock is not believed, and the outcome says that age has to wait")
    func unbelievedClock() throws {
        for age in 0..<5 { try record(daysAgo: age) }
        var old = RetentionRule()
        old.days = 2
        let waiting = try run(leastFree: nil, old, countsDays: false)
        #expect(waiting.deletions.isEmpty && waiting.ageHasToWait)
        #expect(try run(leastFree: nil, old, countsDays: false, in: folder.file("none")).ageHasToWait)
        #expect(try !run(leastFree: nil, RetentionRule(last: 4), countsDays: false).ageHasToWait)
        let counting = try run(leastFree: nil, old)
        #expect(!counting.deletions.isEmpty && !counting.ageHasToWait)
    }

    @Test("The ledger gets each refusal once, and again only for another reason") func refusals() throws {
        for age in 0..<2 { try record(daysAgo: age) }
        let system = Self.fullDisk
        let deletions = StateLedger(folder: folder.path, name: StateLedger.deletions)
        func newEntries(_ errors: [String: CInt]) throws -> [String] {
            let old = try ledger().count
            system.setErrors(errors)
            for _ in 0..<3 { _ = try run(leastFree: 60_000, RetentionRule(last: 1), system, ledger: deletions) }
            return Array(try ledger().dropFirst(old))
        }
        var entries = try newEntries(["openToRead": EIO])
        #expect(entries == ["refused r1", "refused r0"])
        entries = try newEntries(["remove": EROFS])
        #expect(entries == ["deleting r1", "refused r1", "deleting r0", "refused r0"])
        #expect(try store.recordings(CatalogQuery()).count == 2)
        entries = try newEntries(["remove": EACCES])
        #expect(entries == ["refused r1", "refused r0"])
        entries = try newEntries([:])
        #expect(entries == ["deleted r1", "deleted r0"])
    }

    @Test("A recording that is not over is neither deleted nor counted") func unfinished() throws {
        for age in 0..<4 { try record(daysAgo: age) }
        let unfinished = UnfinishedRecordings(recordings: ["r1", "r3"])
        let ruled = try run(leastFree: nil, RetentionRule(last: 2), unfinished: unfinished)
        #expect(ruled.deletions.isEmpty)
        let outcome = try run(leastFree: 80_000, nil, Self.fullDisk, unfinished: unfinished)
        #expect(outcome.deletions.map(\.recording) == ["r2", "r0"])
    }

    @Test("A floor that deleting cannot reach deletes nothing, and makes the disk count as low")
    func floorOutOfReach() throws {
        for age in 0..<5 { try record(daysAgo: age) }
        let outcome = try run(leastFree: 500_000_000_000, nil, Self.fullDisk)
        var news = RetentionNews()
        #expect(outcome.deletions.isEmpty && outcome.isOutOfReach && outcome.isLow && news.isNew(outcome))
        #expect(try run(leastFree: 80_000, nil, Self.fullDisk).deletions.map(\.recording) == ["r4", "r3"])
    }

    @Test(
        "Rules that delete more than before wait for an hour, and only what the old rules delete is deleted meanwhile")
    func changedRules() throws {
        for age in 1..<7 { try record(daysAgo: age) }
        var consent = try #require(run(leastFree: nil, RetentionRule(last: 6)).consent)
        // After another recording, the new rules delete r5 and r6, and the old ones only r6.
        try record(daysAgo: 0)
        func look(_ rule: RetentionRule, after elapsed: Duration) throws -> RetentionOutcome {
            let outcome = try run(leastFree: nil, rule, isAgreed: false, consent: consent, elapsed: elapsed)
            consent = try #require(outcome.consent)
            return outcome
        }
        let first = try look(RetentionRule(last: 5), after: .seconds(300))
        #expect(first.deletions.map(\.recording) == ["r6"])
        let waiting = try #require(first.waiting)
        #expect(waiting.files == 1 && waiting.bytes == 41_700 && waiting.isNew)
        #expect(waiting.until == CivilTime(Self.now + .seconds(3_600), utcOffset: 0))
        // The rules were a mistake.
        let better = try look(RetentionRule(last: 6), after: .seconds(300))
        #expect(better.deletions.isEmpty && better.waiting == nil)
        #expect(try look(RetentionRule(last: 4), after: .seconds(300)).waiting?.files == 2)
        let second = try look(RetentionRule(last: 4), after: .seconds(3_599))
        #expect(second.deletions.isEmpty && second.waiting?.isNew == false)
        let last = try look(RetentionRule(last: 4), after: .seconds(1))
        #expect(last.deletions.map(\.recording) == ["r4", "r5"] && last.waiting == nil)
    }

    @Test("The first rules wait as well, unless they delete nothing, and the state folder says what was agreed to")
    func firstRules() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        let first = try run(leastFree: nil, RetentionRule(last: 1), isAgreed: false)
        #expect(first.deletions.isEmpty && first.waiting?.files == 2)
        // The next run of the daemon continues the wait.
        let second = try run(leastFree: nil, RetentionRule(last: 1), isAgreed: false, elapsed: .seconds(3_000))
        #expect(second.waiting?.until == CivilTime(Self.now + .seconds(600), utcOffset: 0))
        #expect(try run(leastFree: nil, RetentionRule(last: 2), isAgreed: true).deletions.map(\.recording) == ["r2"])
        #expect(try run(leastFree: nil, RetentionRule(last: 2), isAgreed: false).waiting == nil)
        #expect(try run(leastFree: nil, RetentionRule(last: 5), isAgreed: false).waiting == nil)
    }

    @Test("Rules about age are not agreed to while the clock is not trusted") func unbelievedConsent() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        let first = try run(leastFree: nil, RetentionRule(days: 2), countsDays: false, isAgreed: false)
        #expect(first.deletions.isEmpty && first.waiting?.files == 1)
    }

    @Test("D30: A check foresees which files would be deleted, without waiting, and deletes none")
    func forecast() throws {
        for age in 0..<3 { try record(daysAgo: age) }
        var configuration = Configuration()
        (configuration.storage.recordings, configuration.storage.state) = (folder.path, folder.path)
        configuration.stations = [DaemonRig.station("fip")]
        configuration.stations[0].files.keep = RetentionRule(last: 1)
        let outcome = try #require(RetentionRun.foresee(configuration, now: Self.now, in: FixedZone.utc))
        #expect(outcome.deletions.map(\.recording) == ["r1", "r2"] && outcome.waiting?.files == 2)
        #expect(try Set(folder.contents()).isSuperset(of: ["r0.mp3", "r1.mp3", "r2.mp3"]))
    }

    /// The kinds of the ledger's entries, each with its recording.
    private func ledger() throws -> [String] {
        let text = try folder.contents().contains(StateLedger.deletions) ? folder.read(StateLedger.deletions) : []
        return try text.split(separator: UInt8(ascii: "\n")).map { line in
            let entry = try JSONValue(parsing: Array(line), limit: 10_000)
            return "\(entry["what"]?.stringValue ?? "") \(entry["recording"]?.stringValue ?? "")"
        }
    }

    private func record(daysAgo age: Int, station: String = "fip") throws {
        let at = CivilTime(Self.now - .seconds(Int64(age + 1) * 86_400), utcOffset: 0)
        var sidecar = Sidecar(.complete, at: at, frames: 100, bytes: 41_700)
        sidecar.recording = "r\(age)"
        sidecar.stationID = station
        _ = try folder.write("r\(age).mp3", [UInt8](repeating: 1, count: 41_700))
        _ = try folder.write("r\(age).json", sidecar.encoded)
        let library = Library(path: folder.path, depth: 1)
        try store.put([try #require(library.segment(at: ["r\(age).mp3"]))])
    }

    /// A disk without room, except for what is deleted.
    private static var fullDisk: FaultySystem {
        let system = FaultySystem()
        system.setRoom(0, regains: true)
        return system
    }

    private func run(
        leastFree: Int64?, _ rule: RetentionRule? = nil, _ system: any FileSystemCalls = LinuxFileSystem(),
        countsDays: Bool = true, in path: String? = nil, unfinished: UnfinishedRecordings = UnfinishedRecordings(),
        ledger: StateLedger? = nil, isAgreed: Bool = true, consent: RetentionConsent? = nil,
        elapsed: Duration = .zero
    ) throws -> RetentionOutcome {
        var configuration = Configuration()
        configuration.storage.leastFree = leastFree
        configuration.stations = [DaemonRig.station("fip")]
        if let rule { configuration.stations[0].files.keep = rule }
        let ledger = ledger ?? StateLedger(folder: folder.path, name: StateLedger.deletions)
        return try RetentionRun(
            removal: RecordingRemoval(folder: path ?? folder.path, ledger: ledger, system: system), state: folder.path,
            rules: RetentionRules(configuration), countsDays: countsDays, consent: consent, isAgreed: isAgreed,
            elapsed: elapsed, unfinished: unfinished, now: Self.now, zone: FixedZone.utc, isDryRun: false
        ).perform(store)
    }
}
