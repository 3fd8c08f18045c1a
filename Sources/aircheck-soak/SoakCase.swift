// SPDX-License-Identifier: MIT

/// A hazard that needs minutes.
protocol SoakCase: Sendable {
    /// As on the command line and in docs/hazards.md.
    var name: String { get }
    /// The row of docs/hazards.md.
    var hazard: String { get }
    /// Does it, and says in a few words what was seen. Throws ``Harm`` where it was not as it must be.
    func run(_ plan: SoakPlan) throws -> String
}

/// What must not be.
struct Harm: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func unless(_ isGood: Bool, _ description: @autoclosure () -> String) throws {
        guard isGood else { throw Harm(description()) }
    }
}
