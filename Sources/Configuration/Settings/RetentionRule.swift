// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// What is kept of the recordings of a station or a show. A limit that is nil deletes nothing.
package struct RetentionRule: Hashable, Sendable {
    /// How many days a recording is kept, counted from its end.
    package var days: Int?
    /// How many recordings are kept: the newest ones.
    package var last: Int?
    /// How many bytes of audio are kept: the newest recordings that fit.
    package var bytes: Int64?
    /// For how long after its end a recording is never deleted, whatever the limits are and however full the disk is.
    package var atLeast: Duration?

    /// Whether the rule can delete a recording for its age, which only a trusted clock tells.
    package var isAboutAge: Bool { days != nil }

    package init(days: Int? = nil, last: Int? = nil, bytes: Int64? = nil, atLeast: Duration? = nil) {
        self.days = days
        self.last = last
        self.bytes = bytes
        self.atLeast = atLeast
    }

    /// Whether any limit deletes recordings.
    package var hasLimit: Bool { self != RetentionRule(atLeast: atLeast) }

    /// This rule, with what it leaves out taken from a general rule. The limits are taken together: a show with one
    /// limit of its own has only that one.
    package func completed(by general: RetentionRule) -> RetentionRule {
        var rule = hasLimit ? self : general
        rule.atLeast = atLeast ?? general.atLeast
        return rule
    }
}

extension RetentionRule {
    /// The rule as stored by ``json``; nil if the value is malformed.
    package init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init(
            days: json["days"]?.integerValue.flatMap { Int(exactly: $0) },
            last: json["last"]?.integerValue.flatMap { Int(exactly: $0) }, bytes: json["bytes"]?.integerValue,
            atLeast: json["at_least"]?.integerValue.map { .milliseconds($0) })
    }

    /// The rule in a form for the next run of the daemon.
    package var json: JSONValue {
        .object([
            "days": days.ifKnown, "last": last.ifKnown, "bytes": bytes.ifKnown,
            "at_least": (atLeast?.wholeMilliseconds).ifKnown,
        ])
    }
}
