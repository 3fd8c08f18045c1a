// SPDX-License-Identifier: MIT

/// The exit statuses that scripts may rely on; the numbers are those of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Wrong usage.
    case usage = 64
    /// The station could not be reached or sent no audio, or there was nothing to listen on; another time there may be.
    case unavailable = 69
    /// It could not be written, or not to its end.
    case ioError = 74
    /// Bad configuration.
    case configuration = 78
}
