// SPDX-License-Identifier: MIT

/// What one server does with its connections, for ``VirtualOrigin`` and ``LiveOrigin`` alike: a value.
///
///     // Each connection is reset in mid-frame after 8 s.
///     LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)])))
///
///     // The server dies after 10 s, and is back 3 s later.
///     var script = LiveScript(.stream(LiveStream(programme)))
///     script.absences = [.init(.seconds(10), for: .seconds(3), .gone)]
///
///     // From the second connection on there is an advert in front.
///     LiveScript { visit in .stream(visit.number == 0 ? plain : withAdvert) }
package struct LiveScript: Sendable {
    /// One connection, when its request is there.
    package struct Visit: Sendable {
        /// Counts all connections of this server, from 0.
        package let number: Int
        /// Path and query of the request.
        package let target: String
        /// When it was accepted, since the origin began.
        package let time: Duration
        /// How many connections beside this one are open.
        package var others = 0
        /// From which byte on the client wants the body.
        package var resumeAt: Int?
    }

    /// What a connection gets.
    package enum Answer: Sendable {
        case stream(LiveStream)
        /// A whole answer.
        case response(LiveHead, body: [UInt8] = [])
        /// The connection stays open, and no answer comes.
        case silence
        /// The connection is closed without an answer.
        case hangUp

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

    /// A while in which the server cannot be had.
    package struct Absence: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// Nobody listens, and all connections are reset when it begins.
            case gone
            /// Nobody listens; connections that are there live on.
            case refusing
            /// Connections are accepted and reset at once.
            case resetting
        }

        /// Whether nobody listens.
        var isDeaf: Bool { kind != .resetting }

        /// Since the origin began.
        package var from: Duration
        package var to: Duration
        package var kind: Kind

        package init(_ from: Duration, for length: Duration, _ kind: Kind) {
            (self.from, self.to, self.kind) = (from, from + length, kind)
        }
    }

    /// Decides what a connection gets.
    package var answer: @Sendable (Visit) -> Answer
    /// In order, without overlap.
    package var absences: [Absence] = []
    /// How long the programmes have been on air when the origin begins: enough for the burst.
    package var onAir: Duration = .seconds(40)

    /// The answers to connections in the order of their arrival; the last one is for all that follow.
    package init(_ answers: Answer...) {
        precondition(!answers.isEmpty, "a script without an answer is a mistake in the source of a test")
        self.init { visit in answers[min(visit.number, answers.count - 1)] }
    }

    package init(answer: @escaping @Sendable (Visit) -> Answer) {
        self.answer = answer
    }

    /// The absence at a time since the origin began.
    func absence(at time: Duration) -> Absence? {
        absences.first { $0.from <= time && time < $0.to }
    }

    /// When an absence begins or ends next.
    func nextChange(after time: Duration) -> Duration? {
        absences.flatMap { [$0.from, $0.to] }.filter { $0 > time }.min()
    }

    /// When all connections are reset next.
    func nextDeath(after time: Duration) -> Duration? {
        absences.first { $0.kind == .gone && $0.from > time }?.from
    }
}
