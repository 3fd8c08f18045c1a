// SPDX-License-Identifier: MIT

/// An event in words, for a mail or a phone.
package struct HookMessage: Hashable, Sendable {
    /// One line: what happened, and to what.
    package var title: String
    /// A few lines, without a line feed after the last one. They have less than 4 KiB, the limit of an ntfy message.
    package var body: String
    /// The name of the picture that ntfy shows.
    package var tag: String

    package init(title: String, body: String, tag: String) {
        (self.title, self.body, self.tag) = (title, body, tag)
    }
}
