// SPDX-License-Identifier: MIT

import CBenchTools
import Platform
import TestSupport

/// The processors of this machine, shared out: one for the server that is measured, the rest for everything else.
struct Cores {
    private let all = ac_cores()

    /// Runs `body` on the server's core; what it starts stays there.
    func onServers<Result>(_ body: () throws -> Result) rethrows -> Result {
        try run(on: all & (~all &+ 1), body)
    }

    /// Runs `body` on the other cores, where there are others; what it starts stays there.
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

/// Lets this process, and what it starts, have as many descriptors as it may.
func raiseDescriptorLimit(toAtLeast least: Int) throws {
    DescriptorLimit.raise()
    guard DescriptorLimit.current >= least else {
        throw SetupError("\(least) descriptors are needed and `ulimit -Hn` gives \(DescriptorLimit.current)")
    }
}
