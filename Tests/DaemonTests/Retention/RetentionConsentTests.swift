// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import RadioFormats
import Testing

@testable import Daemon

/// Which rules may delete.
struct RetentionConsentTests {
    private static let strict = RetentionRules(
        general: RetentionRule(days: 3, bytes: 5_000), floor: 1_000,
        stations: [
            "fip": .init(own: RetentionRule(last: 4), shows: ["jazz": RetentionRule(atLeast: .milliseconds(90_500))]),
            "dead": .init(),
        ])

    @Test("Changed rules wait for an hour, and other changes begin the hour anew") func hour() {
        var consent = RetentionConsent()
        #expect(consent.wait(Self.strict, elapsed: .seconds(900)) == .seconds(3_600))
        #expect(consent.wait(Self.strict, elapsed: .seconds(900)) == .seconds(2_700))
        var other = Self.strict
        other.floor = 2_000
        #expect(consent.wait(other, elapsed: .seconds(900)) == .seconds(3_600))
        #expect(consent.wait(other, elapsed: .seconds(3_599)) == .seconds(1) && consent.agreed == .none)
        #expect(consent.wait(other, elapsed: .seconds(1)) == nil)
        #expect(consent == RetentionConsent(agreed: other))
    }

    @Test("The consent and the time that rules have waited survive a restart") func stored() throws {
        var consent = RetentionConsent(agreed: Self.strict)
        #expect(RetentionConsent(json: consent.json) == consent)
        var other = Self.strict
        other.stations["fip"]?.own = RetentionRule()
        _ = consent.wait(other, elapsed: .zero)
        _ = consent.wait(other, elapsed: .seconds(3_000))
        var next = RetentionConsent(json: try JSONValue(parsing: consent.json.encoded(), limit: 10_000))
        #expect(next == consent && next.wait(other, elapsed: .seconds(600)) == nil)
    }

    @Test(
        "Nothing malformed was agreed to",
        arguments: [
            "null", "[]", "{}", #"{"agreed":1}"#, #"{"agreed":{"general":{}}}"#,
            #"{"agreed":{"general":{},"stations":{"fip":{"own":{}}}}}"#,
        ]) func malformed(text: String) throws
    {
        let json = try JSONValue(parsing: Array(text.utf8), limit: 10_000)
        #expect(RetentionConsent(json: json) == RetentionConsent())
    }

    @Test("A show takes each rule that it leaves out from its station, and that from the general rule") func inherited()
    {
        var rules = Self.strict
        #expect(rules.rule("fip", "jazz") == RetentionRule(last: 4, atLeast: .milliseconds(90_500)))
        #expect(rules.rule("fip", nil) == RetentionRule(last: 4))
        #expect(rules.rule("dead", "jazz") == RetentionRule(days: 3, bytes: 5_000))
        #expect(rules.rule("gone", nil) == nil && rules.rule(nil, nil) == nil)
        rules.general.atLeast = .seconds(60)
        #expect(rules.rule("fip", nil) == RetentionRule(last: 4, atLeast: .seconds(60)))
    }
}
