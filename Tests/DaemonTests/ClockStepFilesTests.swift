// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The files of a show during which the clock is set back by half a minute, as a time server does.
struct ClockStepFilesTests {
    @Test(
        "A clock that is set back by 30 s makes neither a second recording of a show nor a second file",
        arguments: [15.0, 22, 35, 60, 88, 93, 105])
    func setBack(_ moment: Double) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()], at: WallInstant(nanoseconds: 1_800_000_880_000_000_000))
        var station = DaemonRig.station("fip")
        var show = try rig.show("one", from: 20, to: 90)
        show.files.segment = .period(.seconds(3_600))
        station.shows = [show]
        rig.apply(try rig.configuration([station]))
        rig.run(moment)
        rig.stepClock(by: .zero - .seconds(30))
        rig.run(200 - moment)
        #expect(rig.files == ["one.mp3"], "\(rig.files)")
        #expect(rig.results.mapValues(\.verdict) == ["one": .complete])
        #expect(rig.events.count { if case .showEnded = $0 { true } else { false } } == 1)
    }
}
