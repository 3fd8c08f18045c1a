// SPDX-License-Identifier: MIT

package import HTTPServer
package import RadioCore
import RadioFormats

// Messages about access to the server.
extension Wording {
    /// The line about a wrong password. It must match the filter in deploy/fail2ban.conf, with the client's address
    /// before any text that the client sent.
    package static func wrongPassword(_ client: SocketAddress.Host, user: String) -> String {
        "wrong password from \(client) for the user \"\(TitleText.cleaned(user, toBytes: 100))\""
    }

    /// The line about a name that a browser used for this machine. `remedy`: what to do to accept the name.
    package static func unknownHost(_ name: String, remedy: String) -> String {
        "a page was requested from \(name) and refused; if that is a name of this machine, \(remedy)"
    }

    /// A changed users file cannot be used.
    package static func usersUnusable(_ fault: SettingFault) -> String {
        let line = fault.words(\.rawValue).replacing(":\n  ", with: ": ").replacing("\n  ", with: "; ")
        return "\(line): the previous users keep their access"
    }

    private static func name(of target: AccessLogFile.Target) -> String {
        switch target {
        case .file(let path): "'\(path)'"
        case .standardError: "on standard error"
        }
    }

    package static func line(_ notice: AccessLogFile.Notice) -> String {
        switch notice {
        case .failed(let target, let error):
            "the access log \(name(of: target)) cannot be written: \(error); until it can, its lines are lost"
        case .works(let lost): "the access log is written again; lost meanwhile: \(Measure.count(lost, "line"))"
        }
    }
}
