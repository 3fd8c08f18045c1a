// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// A daemon whose disk fills up during a recording with a fixed end. While the disk is full, no file grows, and all
/// files so far are finished although the recording has not ended. While the disk is full, retention would delete them.
struct UnfinishedRetentionTests {
    private let rig: DaemonRig
    private let configuration: Configuration

    init() throws { (rig, configuration) = try Self.rig() }

    /// A daemon with a catalog and a small disk, and the configuration of a station that it records in files of ten
    /// seconds.
    private static func rig() throws -> (rig: DaemonRig, configuration: Configuration) {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        rig.system.setRoom(10_000_000, regains: true)
        var station = DaemonRig.station("fip")
        station.files.segment = .period(.seconds(10))
        station.files.name = try NameTemplate(parsing: "{sequence}")
        var configuration = try rig.configuration([station])
        configuration.storage.leastFree = 30_000
        try rig.openCatalog(configuration)
        return (rig, configuration)
    }

    private static func apply(_ configuration: Configuration, showUntil end: Double, to rig: DaemonRig) throws {
        var configuration = configuration
        var show = try rig.show("one", from: 5, to: end)
        show.files = configuration.stations[0].files
        configuration.stations[0].shows = [show]
        rig.apply(configuration)
    }

    /// Fills the disk for forty seconds, during which retention runs twice, and makes room again. `meanwhile` is called
    /// while the disk is full.
    private static func fill(_ rig: DaemonRig, _ meanwhile: () throws -> Void = {}) throws {
        rig.system.setRoom(0, regains: true)
        rig.live(40)
        #expect(rig.files.count >= 4 && rig.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(rig.files)")
        try meanwhile()
        rig.system.setRoom(10_000_000, regains: true)
        rig.run(5)
    }

    /// Lets six minutes pass.
    private static func wait(_ rig: DaemonRig) {
        for _ in 0..<36 {
            for _ in 0..<10 { rig.pass(.seconds(1)) }
            #expect(rig.waitForCatalog())
        }
    }

    /// The failure of a requested change; nil if it succeeded.
    private static func failure(
        _ rig: DaemonRig, _ change: (RecordingChanges, @escaping @Sendable (Failure?) -> Void) -> Void
    ) -> Failure? {
        let answer = Watched<Failure??>(nil)
        change(rig.daemon.recordings) { failure in answer.change { $0 = .some(failure) } }
        #expect(rig.reactor.pump { answer.value != nil })
        return answer.value ?? nil
    }

    @Test("The files of a show that is on can be deleted by nobody, and afterwards they can") func runningShow() throws
    {
        try Self.apply(configuration, showUntil: 100, to: rig)
        rig.run(45)
        try Self.fill(rig) {
            let recording = try #require(rig.daemon.runningRecordings.first)
            let failure = Self.failure(rig) { $0.delete(recording, $1) }
            #expect(failure?.message.contains("under way") == true, "\(String(describing: failure))")
        }
        #expect(rig.deleted.isEmpty)
        let files = rig.files.map { ($0.prefix { $0 != "." }, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        let span = try rig.span(files)
        #expect(abs(span.from - 5) < 0.1 && span.to > 86, "\(span)")
        rig.run(20)
        rig.system.setRoom(0, regains: true)
        Self.wait(rig)
        #expect(rig.deleted.count == 1 && rig.files.isEmpty)
    }

    @Test("Files of a show from before a reload changed it are kept until it is over") func beforeReload() throws {
        try Self.apply(configuration, showUntil: 200, to: rig)
        rig.run(30)
        let first = rig.daemon.runningRecordings
        try Self.apply(configuration, showUntil: 220, to: rig)
        rig.run(30)
        #expect(first.count == 1 && rig.daemon.runningRecordings.isDisjoint(with: first))
        try Self.fill(rig)
        #expect(rig.deleted.isEmpty)
    }

    @Test("A manual recording under way is kept even if it is no longer protected") func unprotected() throws {
        rig.apply(configuration, for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(95)))
        rig.run(40)
        try Self.fill(rig) {
            let recording = try #require(rig.daemon.runningRecordings.first)
            #expect(Self.failure(rig) { $0.protect(recording, false, $1) }?.message.contains("under way") == true)
            // Any program that may write the sidecar can still remove the protection, because a sidecar is only a file.
            let changes = RecordingChanges(
                catalog: rig.daemon.catalog, storage: configuration.storage, running: [], runningManual: [],
                time: CivilTime(rig.reactor.wallNow, in: FixedZone.utc))
            #expect(Self.failure(rig) { _, answer in changes.protect(recording, false, answer) } == nil)
            rig.live(35)
        }
        #expect(rig.deleted.isEmpty)
    }

    @Test("Files of a show that is no longer configured are kept until they are finished")
    func unconfiguredShow() throws {
        try Self.apply(configuration, showUntil: 200, to: rig)
        rig.run(45)
        try Self.fill(rig) {
            rig.apply(configuration, for: 1)
            let outcome = Watched<RetentionOutcome?>(nil)
            rig.daemon.askRetention { result in outcome.change { $0 = try? result.get() } }
            #expect(rig.reactor.pump { outcome.value != nil } && rig.daemon.runningRecordings.count == 1)
            #expect(outcome.value?.deletions.map(\.recording) == [])
        }
    }

    @Test("Files of a manual recording from before a restart are kept until it is over") func beforeRestart() throws {
        rig.apply(configuration, for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(300)))
        rig.run(30)
        let first = try #require(rig.daemon.runningRecordings.first)
        rig.daemon.stop()
        rig.run(1)
        let json = try rig.manualFile()
        rig.restart()
        try rig.beginWithCatalog(configuration, after: rig.earlier(ManualRecordings.fileName, json))
        rig.run(30)
        #expect(Self.failure(rig) { $0.protect(first, false, $1) } == nil)
        try Self.fill(rig)
        #expect(rig.deleted.isEmpty && !rig.daemon.runningRecordings.contains(first))
    }
}
