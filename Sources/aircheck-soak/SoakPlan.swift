// SPDX-License-Identifier: MIT

import TestTools

/// The parsed arguments.
struct SoakPlan {
    private(set) var cases: [any SoakCase] = []
    private(set) var minutes = 10
    private(set) var seed = UInt64.random(in: 1...999_999)

    static let all: [any SoakCase] = [
        Corruption(), TitleFlood(), EndlessPacket(), RandomFaults(), Kicked(), Rush(), Damage(), RandomConnections(),
        SplicePairs(), ChanceAudit(), Floods(), ForeignFiles(), OwnMemory(), Together(),
        HostileFrames(), DaemonKills(), DaemonTroubles(), DaemonBooks(), DaemonReloads(), DaemonDisk(), SmallMachine(),
        DaemonAsleep(),
        DaemonDay(),
    ]

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--minutes":
                guard let value = rest.next().flatMap({ Int($0) }), value > 0 else {
                    throw SetupError("--minutes needs a number")
                }
                minutes = value
            case "--seed":
                guard let value = rest.next().flatMap({ UInt64($0) }) else { throw SetupError("--seed needs a number") }
                seed = value
            default:
                guard let found = Self.all.first(where: { $0.name == argument }) else {
                    throw SetupError("no case is called \(argument): \(Self.all.map(\.name).joined(separator: ", "))")
                }
                cases.append(found)
            }
        }
        if cases.isEmpty { cases = Self.all }
    }
}
