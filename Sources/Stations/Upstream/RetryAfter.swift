// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore

/// For how long a server wants to be left alone: the `Retry-After` field (RFC 9110 §10.2.3), a pure decision.
enum RetryAfter {
    /// At most ``Backoff/longestRetryAfter``; nil where the field asks for nothing, or for nothing that makes sense.
    ///
    /// A date is measured from the response's own `Date`, for then it does not matter whether our clock is right; where
    /// there is none, from `wall`.
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
