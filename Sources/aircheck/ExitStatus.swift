// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// The exit statuses that scripts may rely on; the numbers are those of `sysexits.h`.
enum ExitStatus {
    static let done = ExitCode(0)
    /// Wrong usage.
    static let usage = ExitCode(64)
    /// The station could not be reached or sent no audio, or there was nothing to listen on; another time there may be.
    static let unavailable = ExitCode(69)
    /// It could not be written, or not to its end.
    static let ioError = ExitCode(74)
    /// Bad configuration.
    static let configuration = ExitCode(78)

    static func of(_ failure: Failure?) -> ExitCode {
        switch failure?.failureClass {
        case nil: done
        case .usage: usage
        case .storage: ioError
        case .configuration: configuration
        default: unavailable
        }
    }
}
