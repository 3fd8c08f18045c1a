// SPDX-License-Identifier: MIT

/// The exit statuses that scripts may rely on; the numbers are those of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Wrong usage.
    case usage = 64
    /// What a daemon was asked about does not exist.
    case noInput = 66
    /// The station could not be reached or sent no audio, or there was no address to listen on. A later try may
    /// succeed.
    case unavailable = 69
    /// The output could not be written, or was written only in part.
    case ioError = 74
    /// Not now, but perhaps later.
    case tryAgain = 75
    /// This user may not ask a daemon for this.
    case noPermission = 77
    /// Bad configuration.
    case configuration = 78
}
