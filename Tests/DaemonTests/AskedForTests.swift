// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Daemon

/// The list of requested recordings in the state folder, from which the next run resumes them.
struct AskedForTests {
    private static let broadcast = Broadcast([.music(.seconds(180))], MPEGShape(128))

    @Test func `what cannot be noted is said, and noted once it can be`() throws {
        // Nothing is recorded, so nothing else has to be noted meanwhile.
        var script = LiveScript(.stream(LiveStream(Self.broadcast, burst: 24_000)))
        script.absences = [.init(.seconds(0), for: .seconds(900), .gone)]
        let rig = try DaemonRig(["fip": script])
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        try rig.openCatalog(configuration)
        rig.apply(configuration)
        // A folder in the place of the draft makes each write fail.
        try rig.folder.make("state/\(ManualRecordings.fileName).new")
        #expect(rig.daemon.record("fip", for: .seconds(100)) != nil)
        let isSaid = rig.reactor.pump {
            rig.events.contains { if case .notRemembered = $0 { true } else { false } }
        }
        #expect(isSaid && !rig.folder.names(in: "state").contains(ManualRecordings.fileName))
        #expect(rmdir(rig.folder.file("state/\(ManualRecordings.fileName).new")) == 0)
        rig.run(20)
        #expect(rig.reactor.pump { rig.folder.names(in: "state").contains(ManualRecordings.fileName) })
    }
}
