// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Which rules may delete: those that were agreed to, and changed rules once people had an hour to see them.
///
/// A typing error in a rule must not delete recordings before anybody can read the warning about it. So rules that
/// would delete more than the agreed ones wait. Meanwhile, only what both the old and the new rules delete is deleted.
struct RetentionConsent: Hashable, Sendable {
    /// The rules that delete without waiting. At first, these are rules that delete nothing.
    private(set) var agreed = RetentionRules.none
    /// Changed rules, and since when they wait; nil if no rules wait.
    private(set) var waiting: WaitingRules?

    struct WaitingRules: Hashable, Sendable {
        var rules: RetentionRules
        /// For how long they have waited.
        var waited: Duration
    }

    /// How long changed rules wait.
    static let patience = Duration.seconds(3_600)

    /// Agrees to rules: because somebody has asked for it, or because they delete nothing that the agreed rules keep.
    mutating func agree(to rules: RetentionRules) { self = RetentionConsent(agreed: rules) }

    /// Lets rules wait that delete more than the agreed ones. `elapsed`: the time since the last call, by a clock that
    /// nobody sets. Returns for how long they still have to wait; nil once they have waited long enough, and are agreed
    /// to. Other rules than those that wait already begin anew.
    mutating func wait(_ rules: RetentionRules, elapsed: Duration) -> Duration? {
        let waited = waiting.flatMap { $0.rules == rules ? $0.waited + elapsed : nil } ?? .zero
        waiting = WaitingRules(rules: rules, waited: waited)
        guard waited >= Self.patience else { return Self.patience - waited }
        agree(to: rules)
        return nil
    }
}

extension RetentionConsent {
    /// The consent as stored by ``json``. Whatever is malformed was not agreed to.
    init(json: JSONValue) {
        self.init(agreed: json["agreed"].flatMap(RetentionRules.init(json:)) ?? .none)
        guard let rules = json["waiting"].flatMap(RetentionRules.init(json:)) else { return }
        let waited = Duration.milliseconds(json["waited"]?.integerValue ?? 0)
        waiting = WaitingRules(rules: rules, waited: min(max(.zero, waited), Self.patience))
    }

    /// The consent in a form for the next run of the daemon.
    var json: JSONValue {
        .object([
            "agreed": agreed.json, "waiting": (waiting?.rules.json).ifKnown,
            "waited": (waiting?.waited.wholeMilliseconds).ifKnown,
        ])
    }
}
