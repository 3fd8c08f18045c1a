// SPDX-License-Identifier: MIT

import HTTPServer

/// The burst that a client requests: `?burst=SECONDS`, or the header field `initial-burst` in bytes.
enum BurstWish: Hashable {
    case seconds(Duration)
    case bytes(Int)

    /// Returns nil if the request has no valid burst: a malformed value must not prevent playing.
    init?(_ head: HTTPRequestHead) {
        if let text = head.target.queryValue("burst") {
            guard let seconds = Double(text), seconds >= 0, seconds < 1e6 else { return nil }
            self = .seconds(.milliseconds(Int(seconds * 1000)))
        } else if let bytes = head["initial-burst"].flatMap({ Int($0) }), bytes >= 0 {
            self = .bytes(bytes)
        } else {
            return nil
        }
    }
}
