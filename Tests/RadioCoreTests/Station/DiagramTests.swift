// SPDX-License-Identifier: MIT

import Foundation
import RadioCore
import Testing

/// The diagrams in docs/connections.md show what the machine does: no arrow is missing, and no arrow is wrong.
@Suite struct DiagramTests {
    private struct Arrow: Hashable, CustomStringConvertible {
        var from: String
        var to: String
        var description: String { "\(from) --> \(to)" }
    }

    private static let document: String = {
        let root = #filePath.components(separatedBy: "/Tests/RadioCoreTests/")[0]
        return (try? String(contentsOfFile: "\(root)/docs/connections.md", encoding: .utf8)) ?? ""
    }()

    /// The arrows of the diagram that contains a state of this name, including those from and to `[*]`.
    private static func arrows(ofDiagramWith state: String) -> Set<Arrow> {
        let diagrams = document.components(separatedBy: "```mermaid\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        let found = diagrams.map { diagram in
            diagram.matches(of: /(\w+|\[\*\]) --> (\w+|\[\*\])/).map {
                Arrow(from: String($0.output.1), to: String($0.output.2))
            }
        }
        return Set(found.first { $0.contains { $0.from == state } } ?? [])
    }

    @Test("The diagram of a station shows exactly the transitions of the machine") func stationDiagram() {
        let ends: Set = [Arrow(from: "[*]", to: "idle"), Arrow(from: "stopped", to: "[*]")]
        #expect(Self.arrows(ofDiagramWith: "idle") == Self.observed.states.union(ends))
    }

    @Test("The diagram of a connection shows exactly the steps that a connection takes") func connectionDiagram() {
        let ends: Set = [Arrow(from: "[*]", to: "resolving"), Arrow(from: "live", to: "[*]")]
        #expect(Self.arrows(ofDiagramWith: "probing") == Self.observed.steps.union(ends))
    }

    /// The transitions observed in some hundred simulated worlds.
    private static let observed: (states: Set<Arrow>, steps: Set<Arrow>) = {
        var states: Set<Arrow> = []
        var steps: Set<Arrow> = []
        for seed in 0..<200 as Range<UInt64> {
            var world = MachineWorld(seed: seed)
            for _ in 0..<300 {
                let before = world.machine
                var stopped = before
                if stopped.requestStop() != .none { states.insert(Arrow(from: name(before.state), to: "stopped")) }
                _ = world.turn()
                let after = world.machine
                if name(before.state) != name(after.state) || attempts(before) != attempts(after) {
                    states.insert(Arrow(from: name(before.state), to: name(after.state)))
                }
                for old in connections(before) {
                    let new = connections(after).first { $0.attempt.number == old.attempt.number }
                    guard let new, new.step != old.step else { continue }
                    steps.insert(Arrow(from: "\(old.step)", to: "\(new.step)"))
                }
            }
        }
        return (states, steps)
    }()

    private static func name(_ state: ConnectionMachine.State) -> String {
        switch state {
        case .idle: "idle"
        case .open: "open"
        case .hedged: "hedged"
        case .waiting: "waiting"
        case .stopped: "stopped"
        }
    }

    private static func connections(_ machine: ConnectionMachine) -> [ConnectionMachine.Connection] {
        ConnectionMachine.Role.allCases.compactMap(machine.connection)
    }

    private static func attempts(_ machine: ConnectionMachine) -> [Int] {
        connections(machine).map(\.attempt.number)
    }
}
