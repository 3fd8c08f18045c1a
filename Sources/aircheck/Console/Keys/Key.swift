// SPDX-License-Identifier: MIT

/// A key on a terminal's keyboard. Shift and Ctrl are distinguished only for letters.
enum Key: Hashable, Sendable {
    case character(Unicode.Scalar)
    /// Ctrl with a letter, given in lower case.
    case control(Unicode.Scalar)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case enter, tab, backspace, escape
}
