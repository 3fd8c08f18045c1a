// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
import RadioFormats

/// An answered request, for the access log.
///
/// Contains no password, and no query, because a query may hold a token.
package struct AccessRecord: Hashable, Sendable {
    package var client: SocketAddress.Host
    /// The user whose name and password the request contained; nil if it contained none, or wrong ones.
    package var user: String?
    /// The time at which the request had arrived.
    package var at: WallInstant
    /// `GET /live HTTP/1.1`; nil if the client did not send HTTP.
    package var request: String?
    /// Nil if the client left before its answer.
    package var status: Int?
    /// The bytes that the socket has accepted, head included.
    package var bytes: Int64 = 0
    package var referer: String?
    package var agent: String?

    package init(client: SocketAddress.Host, at: WallInstant, status: Int?) {
        self.client = client
        self.at = at
        self.status = status
    }

    init(_ request: HTTPRequest, at: WallInstant) {
        self.init(client: request.client.host, at: at, status: nil)
        let head = request.head
        let path = Self.encoded(head.target.path).cut(toBytes: Self.longest)
        self.request = "\(head.method.rawValue) \(path) HTTP/1.\(head.minorVersion)"
        referer = head["referer"].map { AddressText($0).redacted.cut(toBytes: Self.longest) }
        agent = head["user-agent"].map { $0.cut(toBytes: Self.longest) }
    }

    /// The line of the combined log format (Apache's `combined`), without a line end.
    package func line(in zone: some TimeZoneRules) -> String {
        let texts = [request, referer, agent].map { "\"\($0.map { Self.escaped($0) } ?? "-")\"" }
        let user = user.map { Self.encoded(Self.escaped($0)) } ?? "-"
        let time = CivilTime(at, in: zone).commonLogDate
        return "\(client) - \(user) [\(time)] \(texts[0]) \(status ?? Self.clientLeft) \(bytes) \(texts[1]) \(texts[2])"
    }

    /// The paths and fields of a client are cut to this number of bytes: a listener's record lives while it listens.
    private static let longest = 1_000
    /// The status that nginx writes if a client left before its answer.
    private static let clientLeft = 499

    /// Blanks separate the fields of a line, so they are percent-encoded.
    private static func encoded(_ text: String) -> String {
        text.contains(" ")
            ? text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") : text
    }

    /// Writes quotes, backslashes and control characters as `\xHH`, as nginx does: a client's text must neither end its
    /// field nor control a terminal.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard scalar == "\"" || scalar == "\\" || TitleText.cleaned(String(scalar)).isEmpty && scalar != " " else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                result += byte < 16 ? "\\x0" : "\\x"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
