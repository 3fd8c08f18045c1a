// SPDX-License-Identifier: MIT

import CBenchTools
import Platform
import TestTools

/// The assignment of this machine's cores: one for the measured server, the rest for everything else.
struct Cores {
    private let all = ac_cores()

    /// Runs `body` on the server's core. Processes that it starts stay there.
    func onServers<Result>(_ body: () throws -> Result) rethrows -> Result {
        try run(on: all & (~all &+ 1), body)
    }

    /// Runs `body` on the other cores, or on all if there is only one. Processes that it starts stay there.
    func onOthers<Result>(_ body: () throws -> Result) rethrows -> Result {
        let others = all & (all &- 1)
        return try run(on: others == 0 ? all : others, body)
    }

    private func run<Result>(on cores: UInt64, _ body: () throws -> Result) rethrows -> Result {
        let before = ac_cores()
        _ = ac_run_on(cores)
        defer { _ = ac_run_on(before) }
        return try body()
    }
}

/// Raises the descriptor limit of this process and its children to the maximum allowed.
///
/// - Throws: ``SetupError`` if the limit is then lower than `least`.
func raiseDescriptorLimit(toAtLeast least: Int) throws {
    DescriptorLimit.raise()
    guard DescriptorLimit.current >= least else {
        throw SetupError("\(least) descriptors are needed and `ulimit -Hn` gives \(DescriptorLimit.current)")
    }
}
