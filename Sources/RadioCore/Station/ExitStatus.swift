// SPDX-License-Identifier: MIT

/// The exit statuses that scripts may rely on; the numbers are those of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Wrong usage.
    case usage = 64
    /// What a daemon was asked about does not exist.
    case noInput = 66
    /// The station, the sound server or the daemon could not be reached, or sent nothing usable.
    case unavailable = 69
    /// The output could not be written, or was written only in part.
    case ioError = 74
    /// Not now, but perhaps later: the daemon has too much to do, or an address to listen on is not free.
    case tryAgain = 75
    /// This user may not ask a daemon for this.
    case noPermission = 77
    /// Bad configuration.
    case configuration = 78
}
