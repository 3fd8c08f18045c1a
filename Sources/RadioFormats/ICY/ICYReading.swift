// SPDX-License-Identifier: MIT

/// How much a metadata block looks like one: whether it was read from the place where the sender put it.
package enum ICYReading: Hashable, Sendable {
    /// Zeros. Digital silence looks the same.
    case empty
    /// Closed fields, followed by nothing but the zeros that fill up the last 16 bytes.
    case wellFormed
    /// Text with a fault: no field, an unclosed field, more zeros than needed, or after them bytes that the previous
    /// block had in the same place. Some senders always do this; a block that was cut short looks like it, too.
    case loose
    /// Bytes that no text contains: control characters, or anything after the end of the text.
    case unreadable
}
