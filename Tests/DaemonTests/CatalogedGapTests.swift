// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Recorder
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon
@testable import Engine

/// Audio that is missing at the end of a recording is known only when its last file is complete.
struct CatalogedGapTests {
    private static let broadcast = Broadcast([.music(.seconds(180))], MPEGShape(128))

    @Test("Audio that is missing at the end of a show is in the catalog without a rescan") func missingEnd() throws {
        let stream = LiveStream(Self.broadcast, burst: 24_000, faults: [.at(.seconds(12), .stall)])
        let rig = try DaemonRig(["fip": LiveScript(.stream(stream), .silence)])
        try rig.beginWithCatalog(showFrom: 5, to: 30)
        rig.run(60)
        #expect(rig.reactor.pump { rig.results["one"] != nil })
        #expect(rig.results["one"]?.verdict == .incomplete)
        let recordings = Watched<[CatalogRecording]>([])
        rig.daemon.catalog?.ask({ store throws(CatalogError) in try store.recordings(CatalogQuery()) }) { answer in
            recordings.change { $0 = (try? answer.get()) ?? [] }
        }
        #expect(rig.reactor.pump { !recordings.value.isEmpty })
        let recording = try #require(recordings.value.first)
        #expect(recording.gaps == 1 && abs(recording.missingMilliseconds - 18_000) < 2_000, "\(recording)")
    }

    @Test("A gap that becomes known when its file is complete already is in the catalog without a rescan")
    func lateGap() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip", record: .always)
        station.files.segment = .period(.seconds(10))
        try rig.beginWithCatalog(try rig.configuration([station]), for: 25)
        let gap = Gap(at: rig.began - .seconds(24), length: .seconds(24), cause: "Aircheck was not running")
        let use = try #require(rig.snapshot.uses.first { $0.value is RecordingSnapshot }?.key)
        rig.registry.perform(.ask(use, RecordingRequest.missing(gap)))
        rig.run(1)
        let recordings = try rig.ask { store throws(CatalogError) in try store.recordings(CatalogQuery()) }
        #expect(recordings.map(\.gaps) == [1], "\(recordings)")
    }

    @Test("A gap is listed while its file grows, and the file's figures are known") func growing() throws {
        let away = LiveScript.Absence(.seconds(20), for: .seconds(15), .gone)
        let rig = try DaemonRig(["fip": DaemonRig.script([away])])
        try rig.beginWithCatalog(showFrom: 5, to: 300, for: 60)
        let recording = try #require(
            try rig.ask { store throws(CatalogError) in try store.recordings(CatalogQuery()) }.first)
        let id = recording.id
        let catalog = try #require(rig.daemon.catalog)
        let detail = try #require(try rig.ask { store throws(CatalogError) in try catalog.detail(of: id, in: store) })
        #expect(recording.state == .growing && detail.recording.gaps == 1 && detail.gaps.count == 1, "\(detail)")
        let progress = try #require(rig.daemon.progress(rig.snapshot)[id])
        let file = try #require(progress.files.first)
        #expect(progress.files.count == 1 && file.frames > 1_000 && file.bytes == progress.bytes, "\(file)")
        #expect(detail.segments.map { "\(rig.folder.path)/recordings/\($0.path)" } == ["\(file.path).part"])
    }
}
