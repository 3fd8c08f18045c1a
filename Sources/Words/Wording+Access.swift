// SPDX-License-Identifier: MIT

package import HTTPServer
package import RadioCore
import RadioFormats

// Messages about access to the server.
extension Wording {
    /// Must match the filter in deploy/fail2ban.conf, with the address before any text of the client.
    package static func wrongPassword(_ client: SocketAddress.Host, user: String) -> String {
        "wrong password from \(client) for the user \"\(TitleText.cleaned(user, toBytes: 100))\""
    }

    /// A changed users file cannot be used.
    package static func usersUnusable(_ fault: SettingFault) -> String {
        "\(fault.words(\.rawValue).split(separator: "\n").joined(separator: ";")): the previous users keep their access"
    }

    package static func line(_ notice: AccessLogFile.Notice) -> String {
        switch notice {
        case .failed(let error):
            "the access log cannot be written: \(error); its lines are lost meanwhile: check its folder and the disk"
        case .works(let lost): "the access log is written again; lost meanwhile: \(Measure.count(lost, "line"))"
        }
    }
}
