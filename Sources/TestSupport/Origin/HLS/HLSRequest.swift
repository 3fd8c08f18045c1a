// SPDX-License-Identifier: MIT

/// A request to a server of HLS.
package struct HLSRequest: Sendable {
    /// The path and query.
    package let target: String
    /// The header fields, with names in lower case.
    package let fields: [(name: String, value: String)]

    package init(_ target: String, _ fields: [(name: String, value: String)] = []) {
        (self.target, self.fields) = (target, fields)
    }

    var path: String { String(target.prefix { $0 != "?" }) }
    var query: String { String(target.dropFirst(path.count)) }

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// An answer, as a value that any transport can perform.
package struct HLSAnswer: Sendable {
    package var status = 200
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// The number of bytes of the body after which the connection is closed; nil to send all of it.
    package var cutAfter: Int?
    /// Whether the head states the length of the body.
    package var statesLength = true
    /// How long sending the body takes.
    package var over = Duration.zero
    /// How long the server waits before it sends the head.
    package var wait = Duration.zero
    /// Whether the connection is closed without an answer.
    package var hangsUp = false
    /// Where a redirect leads.
    package var location: String?

    init(_ status: Int, _ fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// Whether the body is a list that is not compressed.
    var isText: Bool {
        fields.contains { $0.value == "application/vnd.apple.mpegurl" } && !fields.contains { $0.value == "gzip" }
    }

    static func text(_ status: Int, _ text: String) -> HLSAnswer {
        HLSAnswer(status, [("Content-Type", "text/plain")], body: Array("\(text)\n".utf8))
    }
}

/// A request that a server has understood: what faults and logs know of it.
package struct HLSAsked: Sendable {
    package enum Subject: Sendable, Hashable {
        /// The address that redirects.
        case door
        case master
        /// A list; the name of its variant.
        case list(String)
        case segment(String, run: Int, index: Int)
        case initialisation(String), key(String), unknown
    }

    package let subject: Subject
    /// The segment, if it is one.
    package let segment: HLSSegment?
    /// How often the same path was requested before.
    package let count: Int
    /// The time of the programme.
    package let time: Duration

    /// Whether a list is requested.
    package var isList: Bool { if case .list = subject { true } else { false } }
    package var isSegment: Bool { segment != nil }
    /// Whether a segment is requested, or what must be read before it.
    var isAudio: Bool { if case .initialisation = subject { true } else { isSegment } }
}
