// SPDX-License-Identifier: MIT

/// What is kept of the recordings of a station or a show. A limit that is nil deletes nothing.
package struct RetentionRule: Hashable, Sendable {
    /// How many days a recording is kept, counted from its end.
    package var days: Int?
    /// How many recordings are kept: the newest ones.
    package var last: Int?
    /// How many bytes of audio are kept: the newest recordings that fit.
    package var bytes: Int64?

    package init(days: Int? = nil, last: Int? = nil, bytes: Int64? = nil) {
        self.days = days
        self.last = last
        self.bytes = bytes
    }
}
