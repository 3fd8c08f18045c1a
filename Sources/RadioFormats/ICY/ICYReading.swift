// SPDX-License-Identifier: MIT

/// How closely a block resembles a metadata block, which shows whether it was read at the place where the sender put
/// it.
package enum ICYReading: Hashable, Sendable {
    /// Nothing but zeros. Digital silence looks the same.
    case empty
    /// Closed fields, followed by nothing but the zeros that fill up the last 16 bytes.
    case wellFormed
    /// Text with a fault: no field, an unclosed field, more zeros than needed, or, after the zeros, bytes that the
    /// previous block had in the same place. Some senders always send such blocks; a truncated block looks the same.
    case loose
    /// Bytes that no text contains: control characters, or, after the end of the text, bytes that are neither zero nor
    /// the same as in the previous block. Some senders always send such blocks.
    case unreadable
    /// More control characters than a text has by mistake: audio, or a block that ends in audio.
    case audio
}
