// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore

/// How long a server asks to be left alone: the `Retry-After` field (RFC 9110 §10.2.3). A pure decision.
enum RetryAfter {
    /// The requested delay, at most ``Backoff/longestRetryAfter``; nil if the field is missing, malformed or a past
    /// date.
    ///
    /// A date is measured from the response's own `Date`, which makes the local clock irrelevant; without that field,
    /// from `wall`.
    static func delay(_ head: ResponseHead, wall: WallInstant) -> Duration? {
        guard let field = head["retry-after"] else { return nil }
        let delay: Duration
        if field.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let seconds = Int64(field) {
            delay = .seconds(seconds)
        } else if let until = instant(field) {
            let now = head["date"].flatMap(instant) ?? wall
            guard until > now else { return nil }
            delay = until - now
        } else {
            return nil
        }
        return min(delay, Backoff.longestRetryAfter)
    }

    private static func instant(_ text: String) -> WallInstant? { CivilTime(httpDate: text)?.instant }
}
