// SPDX-License-Identifier: MIT

/// A hazard that takes minutes to test.
protocol SoakCase: Sendable {
    /// The name on the command line and in docs/hazards.md.
    var name: String { get }
    /// The hazard's row in docs/hazards.md.
    var hazard: String { get }
    /// Runs the case, and returns a short description of the result. Throws ``Harm`` if the program misbehaved.
    func run(_ plan: SoakPlan) throws -> String
}

/// A violated expectation.
struct Harm: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func unless(_ isGood: Bool, _ description: @autoclosure () -> String) throws {
        guard isGood else { throw Harm(description()) }
    }
}
