// SPDX-License-Identifier: MIT

/// How much a metadata block looks like one: whether it was read from the place where the sender put it.
package enum ICYReading: Hashable, Sendable {
    /// Zeros. Digital silence looks the same.
    case empty
    /// Closed fields, and nothing behind them but the zeros that fill up the last 16 bytes.
    case wellFormed
    /// Text, but not as it should be: no field, one that is not closed, more zeros than are needed, or behind them
    /// bytes that stood there in the block before. Some senders always do so; a block that was cut short looks like it,
    /// too.
    case loose
    /// Bytes that no text holds: control characters, or anything behind the end of the text.
    case unreadable
}
