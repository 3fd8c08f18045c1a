// SPDX-License-Identifier: MIT

/// What people read of an event, in a mail or on their phone. A value.
package struct HookMessage: Hashable, Sendable {
    /// One line: what happened, to what.
    package var title: String
    /// A few lines, the last one without a line feed; less than 4 KiB, which is as much as a message of ntfy holds.
    package var body: String

    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}
