// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite struct MachineOracleTests {
    /// The test runs 1,000 worlds of 500 events each.
    @Test("No order of events leads to an illegal action of the machine", arguments: 0..<20 as Range<UInt64>)
    func anyEvents(part: UInt64) {
        for seed in part * 50..<(part + 1) * 50 {
            var world = MachineWorld(seed: seed)
            var oracle = MachineOracle(mirrors: world.mirrors, giveUp: world.giveUp)
            for _ in 0..<500 where oracle.objections.isEmpty {
                let (event, action) = world.turn()
                oracle.judge(event, action, world.machine, world.now)
            }
            #expect(oracle.objections.isEmpty, "seed \(seed): \(oracle.objections)")
        }
    }

    /// The worlds are useful only if everything happens in them.
    @Test("Every kind of action occurs in some random world") func coverage() {
        var hedges = 0
        var reconnects = 0
        var actions: Set<String> = []
        for seed in 0..<30 as Range<UInt64> {
            var world = MachineWorld(seed: seed)
            for _ in 0..<500 { actions.insert("\(world.turn().action)".prefix { $0.isLetter }.description) }
            hedges += world.machine.hedges
            reconnects += world.machine.reconnects
        }
        #expect(actions == ["none", "connect", "openHedge", "closeHedge", "promote", "wait", "stop"])
        #expect(hedges > 100 && reconnects > 100, "\(hedges) \(reconnects)")
    }
}
