// SPDX-License-Identifier: MIT

package import CurlClient

/// The behaviour of one server, for both ``VirtualOrigin`` and ``ScriptedOrigin``.
///
///     // Each connection is reset in mid-frame after 8 s.
///     LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)])))
///
///     // The server dies after 10 s and restarts 3 s later.
///     LiveScript(.stream(LiveStream(programme)), absences: [.init(.seconds(10), for: .seconds(3), .gone)])
///
///     // From the second connection on, an advert precedes the programme.
///     LiveScript { visit in .stream(visit.number == 0 ? plain : withAdvert) }
package struct LiveScript: Sendable {
    /// One connection whose request has arrived.
    package struct Visit: Sendable {
        /// The number of the connection at this server, from 0.
        package let number: Int
        /// The path and query of the request.
        package let target: String
        /// The time of the accept, relative to the start of the origin.
        package let time: Duration
        /// The number of other open connections.
        package var others = 0
        /// The first byte of the body that the client requests, if it requests a part; always nil at a
        /// ``ScriptedOrigin``.
        package var resumeAt: Int?
        /// The tag or date (`If-Range`) under which the client accepts only the rest of the body.
        package var resumeValidator: String?
        /// The header fields of the request, with names in lower case.
        package var fields: [(name: String, value: String)] = []
    }

    /// The answer to a connection.
    package enum Answer: Sendable {
        case stream(LiveStream)
        /// A complete response.
        case response(LiveHead, body: [UInt8] = [])
        /// A response whose head comes after `wait`, and whose body takes a time (virtual time only).
        case paced(LiveHead, body: [UInt8], wait: Duration, over: Duration)
        /// The connection stays open without a response.
        case silence
        /// The connection is closed without a response.
        case hangUp
        /// The connection fails in a way that only virtual time can show, such as a faulty certificate. A
        /// ``ScriptedOrigin`` hangs up.
        case failure(TransferError)
        /// The test itself sends the response: see ``VirtualOrigin/byHand``. A ``ScriptedOrigin`` stays silent.
        case byHand

        package static func status(
            _ code: Int, _ reason: String = "Scripted", _ fields: KeyValuePairs<String, String> = [:]
        ) -> Answer {
            .response(LiveHead(code, reason, fields), body: Array("\(code) \(reason)\n".utf8))
        }

        package static func redirect(to url: String, _ code: Int = 302) -> Answer {
            .response(LiveHead(code, "Found", ["Location": url, "Content-Length": "0"]))
        }

        package static func text(_ body: String, type: String) -> Answer {
            .response(LiveHead(200, "OK", ["Content-Type": type]), body: Array(body.utf8))
        }
    }

    /// A period in which the server is unavailable.
    package struct Absence: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// The port is closed, and all connections are reset when the period begins.
            case gone
            /// The port is closed; existing connections continue.
            case refusing
            /// Connections are accepted and immediately reset.
            case resetting
        }

        /// Whether the port is closed.
        var isDeaf: Bool { kind != .resetting }

        /// The start of the period, relative to the start of the origin. ``to``, the end, is relative to it as well.
        package var from: Duration
        package var to: Duration
        package var kind: Kind

        package init(_ from: Duration, for length: Duration, _ kind: Kind) {
            (self.from, self.to, self.kind) = (from, from + length, kind)
        }
    }

    /// Returns the answer to a connection.
    package var answer: @Sendable (Visit) -> Answer
    /// The absences in order, without overlap.
    package var absences: [Absence]
    /// How long the programmes have been on air when the origin starts. The default is enough for the burst.
    package var onAir: Duration

    /// The answers to connections in the order of arrival; the last one applies to all later connections.
    package init(_ answers: Answer..., absences: [Absence] = [], onAir: Duration = .seconds(40)) {
        precondition(!answers.isEmpty, "a script without an answer is a mistake in the source of a test")
        self.init(absences: absences, onAir: onAir) { visit in answers[min(visit.number, answers.count - 1)] }
    }

    package init(
        absences: [Absence] = [], onAir: Duration = .seconds(40), answer: @escaping @Sendable (Visit) -> Answer
    ) {
        (self.answer, self.absences, self.onAir) = (answer, absences, onAir)
    }

    /// The absence at a time relative to the start of the origin; nil if there is none.
    package func absence(at time: Duration) -> Absence? {
        absences.first { $0.from <= time && time < $0.to }
    }

    /// The time at which the next absence begins or ends.
    package func nextChange(after time: Duration) -> Duration? {
        absences.flatMap { [$0.from, $0.to] }.filter { $0 > time }.min()
    }

    /// The next time at which all connections are reset.
    func nextDeath(after time: Duration) -> Duration? {
        absences.first { $0.kind == .gone && $0.from > time }?.from
    }
}
