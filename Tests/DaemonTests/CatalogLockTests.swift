// SPDX-License-Identifier: MIT

import Configuration
import Dispatch
import Glibc
import Instants
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// The catalog while another program has it locked for long, or while its disk hangs.
struct CatalogLockTests {
    private static let broadcast = Broadcast([.music(.seconds(180))], MPEGShape(128))

    @Test("A recording made while the catalog is locked is cataloged once the lock is released")
    func lockedCatalog() throws {
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 24_000)))])
        try rig.beginWithCatalog(showFrom: 5, to: 15)

        let other = try Database(path: rig.folder.file("state/\(CatalogStore.name)"))
        try other.run("BEGIN EXCLUSIVE")
        rig.run(30)
        #expect(rig.files.count == 1)
        // While the catalog is locked, it can neither note the file nor be rebuilt.
        let hasFailed = (0..<6).contains { _ in rig.reactor.pump { rig.rebuilds.last == false } }
        #expect(hasFailed)
        try other.run("ROLLBACK")

        rig.run(65)
        #expect(rig.reactor.pump { rig.rebuilds.last == true })
        let count = Watched(0)
        rig.daemon.catalog?.ask({ store throws(CatalogError) in
            try store.recordings(CatalogQuery()).count
        }) { answer in
            count.change { $0 = (try? answer.get()) ?? 0 }
        }
        #expect(rig.reactor.pump { count.value == 1 })
    }

    @Test("A show is judged within a minute although the catalog's disk hangs") func hangingCatalog() throws {
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 24_000)))])
        try rig.beginWithCatalog(showFrom: 5, to: 15)
        let isReleased = DispatchSemaphore(value: 0)
        rig.daemon.catalog?.run { isReleased.wait() }
        rig.run(75)
        #expect(rig.results["one"]?.verdict == .complete)
        isReleased.signal()
        rig.run(5)
        let verdicts = rig.events.count { if case .showEnded = $0 { true } else { false } }
        #expect(verdicts == 1)
    }

    @Test("A show is judged within a minute although the station and the disks of catalog and recordings hang")
    func everythingHangs() throws {
        let stream = LiveStream(Self.broadcast, burst: 24_000, faults: [.at(.seconds(12), .stall)])
        let rig = try DaemonRig(["fip": LiveScript(.stream(stream), .hangUp)])
        try rig.beginWithCatalog(showFrom: 5, to: 15)
        let isReleased = DispatchSemaphore(value: 0)
        rig.daemon.catalog?.run { isReleased.wait() }
        rig.system.setErrors(["openRoot": EIO, "create": EIO])
        rig.run(40)
        #expect(rig.results.isEmpty)
        rig.run(35)
        #expect(rig.results["one"]?.verdict == .missed)
        isReleased.signal()
    }
}
