// SPDX-License-Identifier: MIT

/// The detail of a message, and the detail that a reader wants: a reader sees messages up to that detail.
package enum Detail: Int, Sendable, Hashable, Comparable {
    /// Errors, events that need a person, and answers to keys and commands.
    case needed
    /// The course of events, for somebody who watches.
    case usual
    /// Every connection and its response, for somebody who is looking for a fault.
    case full

    package static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }
}
