// SPDX-License-Identifier: MIT

package import RadioCore

/// A notice of the HTTP service.
package enum ServiceNotice: Sendable {
    /// A client has given the name of a user and a wrong password.
    case wrongPassword(SocketAddress.Host, user: String)
    /// A page was requested under a name that is not known to be this machine's. Sent once for each name.
    case unknownHost(String)
    /// The users file has changed, and cannot be used: the users from before the change still have access.
    case usersUnusable(SettingFault)
    /// The file of a Unix socket was removed, and has been made again.
    case socketMadeAgain(SocketAddress)
    /// The access log cannot be written, or can be written again.
    case accessLog(AccessLogFile.Notice)
}
