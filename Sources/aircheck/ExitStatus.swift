// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

extension ExitStatus {
    var code: ExitCode { ExitCode(rawValue) }

    /// Ends the command with the status of what it ended with; goes on where that is nothing.
    static func check(_ failure: Failure?) throws {
        if let failure { throw failure.failureClass.exitStatus.code }
    }
}
