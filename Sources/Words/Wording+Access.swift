// SPDX-License-Identifier: MIT

import Configuration
package import HTTPServer
import RadioCore
import RadioFormats

// Messages about access to the server.
extension Wording {
    /// The occurrence that is a notice of the HTTP service. `remedy`: what to do to accept a host name.
    package static func occurrence(_ notice: ServiceNotice, remedy: (_ name: String) -> String) -> Occurrence {
        var occurrence: Occurrence =
            switch notice {
            case .wrongPassword(let client, let user):
                // The filter in deploy/fail2ban.conf needs the client's address before any text that the client sent.
                Occurrence(
                    .warning, "wrong password", with: ["client": "\(client)", "user": user],
                    "wrong password from \(client) for the user \"\(TitleText.cleaned(user, toBytes: 100))\"")
            case .unknownHost(let name):
                Occurrence(
                    .warning, "unknown host name", with: ["name": name],
                    "a page was requested from \(name) and refused; if that is a name of this machine, \(remedy(name))")
            case .usersUnusable(let fault):
                Occurrence(.warning, "users file unusable", usersUnusable(fault))
            case .socketMadeAgain(let address):
                Occurrence(
                    .warning, "socket made again", with: ["address": "\(address)"],
                    "somebody has removed the socket \(address); it has been made again")
            case .accessLog(.failed(let destination, let error)):
                Occurrence(
                    .error, accessLogFailed, with: ["error": "\(error)"],
                    "the access log \(name(of: destination)) cannot be written: \(error); until it can, its lines are lost",
                    fault: accessLogFailed)
            case .accessLog(.works(let lost)):
                Occurrence(
                    .notice, "access log works", with: ["lost": "\(lost)"],
                    "the access log is written again; lost meanwhile: \(Measure.count(lost, "line"))",
                    ends: accessLogFailed)
            }
        occurrence.detail = .needed
        return occurrence
    }

    private static let accessLogFailed = "access log failed"

    /// A changed users file cannot be used.
    private static func usersUnusable(_ fault: SettingFault) -> String {
        let line = fault.words(\.rawValue).replacing(":\n  ", with: ": ").replacing("\n  ", with: "; ")
        return "\(line): the previous users keep their access"
    }

    private static func name(of destination: AccessLogFile.Destination) -> String {
        switch destination {
        case .file(let path): "'\(path)'"
        case .standardError: "on standard error"
        }
    }
}
