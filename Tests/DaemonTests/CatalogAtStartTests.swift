// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Instants
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// A daemon with a catalog that it cannot use at the start, and with a station to record.
struct CatalogAtStartTests {
    private static let broadcast = Broadcast([.music(.seconds(300))], MPEGShape(128))

    /// A rig whose daemon has recorded a show and stopped, and the recordings that its catalog lists.
    private static func recorded() throws -> (rig: DaemonRig, recordings: [CatalogRecording]) {
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(broadcast, burst: 24_000)))])
        try rig.beginWithCatalog(showFrom: 5, to: 15)
        rig.run(30)
        let recordings = try Self.recordings(rig)
        #expect(recordings.count == 1 && recordings[0].show?.id == "one" && recordings[0].state == .complete)
        rig.restart(away: 1)
        return (rig, recordings)
    }

    /// Starts recording the station continuously.
    private static func begin(_ rig: DaemonRig) throws {
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip", record: .always)]))
    }

    private static func recordings(_ rig: DaemonRig) throws -> [CatalogRecording] {
        let found = Watched<[CatalogRecording]?>(nil)
        rig.daemon.catalog?.ask({ store throws(CatalogError) in
            try store.recordings(CatalogQuery())
        }) { answer in
            found.change { $0 = (try? answer.get()) ?? [] }
        }
        guard rig.reactor.pump(until: { found.value != nil }) else { throw SetupError("the catalog does not answer") }
        return found.value ?? []
    }

    /// Ends the recording. Expects that the recording has all of its frames, and that the catalog has both recordings.
    private static func expectWhole(_ rig: DaemonRig, _ before: [CatalogRecording], seconds: Double) throws {
        rig.daemon.stop()
        rig.live(1)
        let name = try #require(rig.files.first { $0.hasPrefix("fip") })
        let frames = try #require(broadcast.stretch(of: try rig.audio(name), startingAt: broadcast.starts))
        #expect(rig.files.count == 2 && Double(frames.count) * 1152 / 44_100 > seconds, "\(rig.files)")
        let after = try recordings(rig)
        #expect(after.filter { recording in before.contains { $0.id == recording.id } } == before)
        #expect(after.count == 2 && after.contains { $0.show == nil && $0.state == .complete }, "\(after)")
    }

    @Test("A damaged catalog is set aside and rebuilt as it was, and the recording does not notice")
    func damagedCatalog() throws {
        let (rig, before) = try Self.recorded()
        let path = "state/\(CatalogStore.name)"
        let whole = try rig.folder.read(path)
        let damaged = Array(whole.prefix(whole.count / 2))
        try rig.folder.write(path, damaged)
        try Self.begin(rig)
        #expect(rig.reactor.pump { rig.rebuilds == [true, true] })
        rig.run(20)
        let aside = rig.catalogNotices.compactMap { notice in
            if case .opened(let opening) = notice { opening.setAside } else { nil }
        }
        #expect(aside == [rig.folder.file("\(path).bad-1")])
        #expect(try rig.folder.read("\(path).bad-1") == damaged)
        try Self.expectWhole(rig, before, seconds: 20)
    }

    @Test("A catalog of a newer version stays until somebody moves it away, and is then built anew")
    func newerCatalog() throws {
        let (rig, before) = try Self.recorded()
        let path = "state/\(CatalogStore.name)"
        try Database(path: rig.folder.file(path)).run("PRAGMA user_version = 99")
        let newer = try rig.folder.read(path)
        try Self.begin(rig)
        rig.run(20)
        #expect(try Self.recordings(rig).isEmpty)
        let failures = rig.catalogNotices.compactMap { if case .failed(let error) = $0 { error } else { nil } }
        #expect(failures.first == .newer(version: 99) && Set(failures) == [.newer(version: 99)])
        #expect(try rig.folder.read(path) == newer)
        #expect(rename(rig.folder.file(path), rig.folder.file("\(path).newer")) == 0)
        // The catalog is tried again at least once a minute.
        rig.run(65)
        #expect(rig.reactor.pump { rig.rebuilds.last == true && rig.rebuilds.count > 1 })
        try Self.expectWhole(rig, before, seconds: 85)
    }
}
