// SPDX-License-Identifier: MIT

/// The exit statuses that scripts may rely on; the numbers are those of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Wrong usage.
    case usage = 64
    /// The station could not be reached or sent no audio, or there was no address to listen on. A later try may
    /// succeed.
    case unavailable = 69
    /// The output could not be written, or was written only in part.
    case ioError = 74
    /// Bad configuration.
    case configuration = 78
}
