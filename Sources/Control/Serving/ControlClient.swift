// SPDX-License-Identifier: MIT

import CurlClient
import HTTPServer
package import RadioCore
package import RadioFormats

/// Sends requests to a running daemon through its control socket. Its calls block.
package struct ControlClient: Sendable {
    private let paths: [String]

    /// `paths`: where the socket may be. The first one at which a daemon answers is used.
    package init(paths: [String]) {
        self.paths = paths
    }

    /// Why there is no answer, or why the daemon refused the request.
    package struct Refusal: Error, Hashable, Sendable {
        package var failure: Failure
        /// The problems in detail, one line each; empty if ``failure`` says everything.
        package var problems: [String] = []
    }

    /// Whether a request only asks, or has something done.
    package enum Method {
        case get, post
    }

    /// Sends a request, and returns the object of the answer. Throws if there is no answer, or if the daemon refuses
    /// the request.
    package func ask(
        _ target: ControlTarget, method: Method = .get, timeout: Duration = .seconds(30)
    ) throws(Refusal) -> JSONValue {
        for path in paths {
            var request = TransferRequest(
                url: "http://localhost\(target.text)", wantsMetadata: false, receiveBuffer: 512 << 10)
            (request.socket, request.headTimeout) = (path, timeout)
            if method == .post { request.body = .post([]) }
            switch Fetch.wait(for: request, limit: Self.mostBytes, patience: timeout) {
            case .success(let response): return try Self.object(response)
            case .failure(.failed(let error)) where [.refused, .unreachable].contains(error.code): continue
            case .failure(.failed(let error)) where error.code == .badURL: throw Self.tooLong
            case .failure(let problem):
                throw Refusal(
                    failure: Failure(
                        .internal, "the daemon at \(path) did not answer: \(problem)",
                        remedy: "look at the daemon's log, and restart the daemon if it hangs"))
            }
        }
        throw Refusal(
            failure: Failure(
                .unreachable, "no running 'aircheck serve' can be reached at \(paths.joined(separator: " or "))",
                remedy: "start 'aircheck serve'; if it is running already, use sudo or join its group"))
    }

    private static let tooLong = Refusal(
        failure: Failure(
            .usage, "the request is longer than the daemon accepts", remedy: "ask with fewer characters"))

    private static func object(_ response: Fetch.Response) throws(Refusal) -> JSONValue {
        let status = response.head.status
        // The HTTP server refuses such a request before the API sees it, so the answer is not JSON.
        guard status != HTTPStatus.uriTooLong.rawValue else { throw tooLong }
        guard let value = try? JSONValue(parsing: response.body, limit: mostValues) else {
            throw Refusal(
                failure: Failure(
                    .protocol, "the daemon's answer cannot be understood (status \(status))",
                    remedy: "check that the daemon and this command are of the same version"))
        }
        guard !(200..<300).contains(status) else { return value }
        let error = value["error"] ?? .null
        throw Refusal(
            failure: Failure(json: error, else: "the daemon refused the request (status \(status))"),
            problems: error["problems"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }

    private static let (mostBytes, mostValues) = (64 << 20, 64 << 20)
}

extension Failure {
    /// A failure in a daemon's answer. `message` is used if the answer has none.
    package init(json: JSONValue, else message: String = "") {
        self.init(
            json["class"]?.stringValue.flatMap(Failure.Class.init) ?? .usage,
            json["message"]?.stringValue ?? message, remedy: json["remedy"]?.stringValue ?? "see the daemon's log")
    }
}

/// The path and query of a request to a daemon.
package struct ControlTarget: Sendable, Hashable {
    package let path: String
    private var items: [String] = []

    package init(_ path: String) {
        self.path = path
    }

    /// Adds an item to the query, unless its value is nil.
    package func adding(_ name: String, _ value: String?) -> ControlTarget {
        guard let value else { return self }
        var target = self
        target.items.append("\(name)=\(Self.encoded(value))")
        return target
    }

    package var text: String { path + (items.isEmpty ? "" : "?" + items.joined(separator: "&")) }

    /// The text, percent-encoded. Unreserved characters are not encoded, nor is the slash, because a query may contain
    /// it (RFC 3986).
    package static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text.utf8) { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    }
}
