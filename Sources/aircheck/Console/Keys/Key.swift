// SPDX-License-Identifier: MIT

/// A key of a terminal's keyboard. What is held down beside it (Shift, Alt, Ctrl) counts only with letters.
enum Key: Hashable, Sendable {
    case character(Unicode.Scalar)
    /// Ctrl and a letter, which is given in lower case.
    case control(Unicode.Scalar)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case enter, tab, backspace, escape
}
