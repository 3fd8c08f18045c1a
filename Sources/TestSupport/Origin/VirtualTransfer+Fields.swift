// SPDX-License-Identifier: MIT

import CurlClient

extension TransferRequest {
    /// The header fields that curl would send to a server, as far as scripts need them, with names in lower case.
    func fields(to url: String, cookies: [String]) -> [(name: String, value: String)] {
        let parts = URLParts(url)
        let path = String(parts.target.prefix { $0 != "?" })
        let cookie = CookieLines.field(
            cookies, host: parts.host, path: path, isSecure: url.hasPrefix("https:"))
        let end = lastByte.map { "\($0)" } ?? ""
        let own = [
            ("range", resumeAt.map { "bytes=\($0)-\(end)" }), ("if-range", resumeAt.flatMap { _ in resumeValidator }),
            ("if-none-match", ifNoneMatch), ("if-modified-since", ifModifiedSince), ("cookie", cookie),
            ("user-agent", userAgent),
        ]
        return (headers + openHeaders).map { ($0.name.lowercased(), $0.value) }
            + own.compactMap { name, value in value.map { (name, $0) } }
    }
}

extension LiveHead {
    /// The cookies that a server sets for itself, as lines of Netscape's format.
    func cookies(from url: String) -> [String] {
        fields.filter { $0.name.lowercased() == "set-cookie" }.compactMap { field in
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 ? "\(URLParts(url).host)\tFALSE\t/\tFALSE\t0\t\(pair[0])\t\(pair[1])" : nil
        }
    }
}

extension URLParts {
    /// The host without its port.
    var host: String { String(authority.prefix { $0 != ":" }) }
}

extension LiveScript.Answer {
    /// How long the server waits before it sends the head, in addition to the latency of all answers.
    var headDelay: Duration {
        switch self {
        case .stream(let stream): stream.headDelay
        case .paced(_, _, let wait, _): wait
        case .response, .silence, .hangUp, .failure, .byHand: .zero
        }
    }
}

/// A body that is sent evenly over a time.
struct PacedBody {
    private let bytes: [UInt8]
    private let length: Duration
    private var sent = 0

    init(_ bytes: [UInt8], over length: Duration) { (self.bytes, self.length) = (bytes, length) }

    mutating func next(at time: Duration, block: Int) -> LivePlayer.Step {
        guard sent < bytes.count else { return .close }
        let end = min(sent + block, bytes.count)
        let due = length * end / bytes.count
        guard time >= due else { return .wait(until: due) }
        defer { sent = end }
        return .send(.init(bytes: bytes[sent..<end], range: nil))
    }
}
