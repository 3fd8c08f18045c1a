// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Daemon

/// What somebody asks for is noted in the state folder.
struct AskedForTests {
    private static let broadcast = Broadcast([.music(.seconds(180))], MPEGShape(128))

    @Test func `what cannot be noted is said, and noted once it can be`() throws {
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 24_000)))])
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        try rig.openCatalog(configuration)
        rig.apply(configuration)
        // Something else has the name of the draft.
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
