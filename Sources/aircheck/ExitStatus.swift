// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

extension ExitStatus {
    var code: ExitCode { ExitCode(rawValue) }

    /// Throws the exit status of `failure`; returns if it is nil.
    static func check(_ failure: Failure?) throws {
        if let failure { throw failure.failureClass.exitStatus.code }
    }
}
