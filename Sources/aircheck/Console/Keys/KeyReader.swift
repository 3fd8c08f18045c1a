// SPDX-License-Identifier: MIT

/// Parses the bytes of a terminal into keys: pure and incremental. Unknown sequences are dropped.
///
/// Many keys are sequences that begin with the byte of the escape key. Only a pause shows that Escape itself was
/// pressed, so the caller must measure the time: see ``isWaiting``.
struct KeyReader {
    private enum State {
        case ground
        case escape
        /// After `ESC [` or `ESC O`, with the first number of the sequence.
        case sequence(Sequence)
        /// Skips one more byte: the last byte of a function key's sequence on the Linux console.
        case skipping
        case text(TextStart)
    }

    private struct Sequence {
        /// Whether the sequence began with `ESC O`.
        var isShort: Bool
        var number = 0
        var hasNumberEnded = false
        /// Whether this is a report from the terminal rather than a key.
        var isPrivate = false
        var length = 0
    }

    private struct TextStart {
        var bits: UInt32
        var left: Int
        /// The smallest code point that needs this many bytes. Smaller code points with this many bytes are overlong
        /// encodings.
        var least: UInt32
    }

    private var state = State.ground

    /// Real sequences are shorter. After this many bytes, the rest is parsed as plain input.
    private static let longestSequence = 32

    /// Whether a key is incomplete. If nothing follows within ``patience``, the caller must call ``giveUp()``.
    var isWaiting: Bool {
        if case .ground = state { return false }
        return true
    }

    /// The bytes of one key arrive within this time, even over a slow connection.
    static let patience = Duration.milliseconds(50)

    /// Consumes a byte. Returns the key that it completes, if any.
    mutating func read(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return begin(byte)
        case .escape: return afterEscape(byte)
        case .sequence(let sequence): return proceed(sequence, byte)
        case .skipping:
            state = .ground
            return nil
        case .text(let start): return proceed(start, byte)
        }
    }

    /// Abandons an incomplete key. Returns `.escape` if only the escape byte had arrived.
    mutating func giveUp() -> Key? {
        defer { state = .ground }
        if case .escape = state { return .escape }
        return nil
    }

    private mutating func begin(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case 0x0A, 0x0D: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 0x01...0x1A: return .control(Unicode.Scalar(byte + 0x60))
        case 0x20...0x7E: return .character(Unicode.Scalar(byte))
        case 0xC2...0xDF: state = .text(TextStart(bits: UInt32(byte & 0x1F), left: 1, least: 0x80))
        case 0xE0...0xEF: state = .text(TextStart(bits: UInt32(byte & 0x0F), left: 2, least: 0x800))
        case 0xF0...0xF4: state = .text(TextStart(bits: UInt32(byte & 0x07), left: 3, least: 0x10000))
        default: break
        }
        return nil
    }

    private mutating func afterEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B: return .escape
        case UInt8(ascii: "["): state = .sequence(Sequence(isShort: false))
        case UInt8(ascii: "O"): state = .sequence(Sequence(isShort: true))
        // Alt with a key has no meaning here, so the key is dropped.
        case 0x00...0x7F: state = .ground
        default: return begin(byte)
        }
        return nil
    }

    private mutating func proceed(_ sequence: Sequence, _ byte: UInt8) -> Key? {
        var sequence = sequence
        sequence.length += 1
        guard 0x20...0x7E ~= byte, sequence.length <= Self.longestSequence else { return begin(byte) }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            if !sequence.hasNumberEnded { sequence.number = min(sequence.number * 10 + Int(byte) - 0x30, 1_000) }
        case UInt8(ascii: "<")...UInt8(ascii: "?"): sequence.isPrivate = true
        case 0x20...0x3F: sequence.hasNumberEnded = true
        case UInt8(ascii: "[") where sequence.length == 1 && !sequence.isShort:
            state = .skipping
            return nil
        default:
            state = .ground
            return sequence.isPrivate ? nil : Self.key(sequence, byte)
        }
        state = .sequence(sequence)
        return nil
    }

    private mutating func proceed(_ start: TextStart, _ byte: UInt8) -> Key? {
        guard byte & 0xC0 == 0x80 else { return begin(byte) }
        var start = start
        start.bits = start.bits << 6 | UInt32(byte & 0x3F)
        start.left -= 1
        guard start.left == 0 else {
            state = .text(start)
            return nil
        }
        state = .ground
        guard start.bits >= start.least, let scalar = Unicode.Scalar(start.bits) else { return nil }
        return scalar.properties.generalCategory == .control ? nil : .character(scalar)
    }

    /// The key for a sequence's last byte. Some terminals send lower-case letters while Shift or Ctrl is held.
    private static func key(_ sequence: Sequence, _ last: UInt8) -> Key? {
        switch Unicode.Scalar(last) {
        case "A", "a": .up
        case "B", "b": .down
        case "C", "c": .right
        case "D", "d": .left
        case "H": .home
        case "F": .end
        case "~": numbered(sequence.number)
        // The numeric keypad.
        case "M" where sequence.isShort: .enter
        case "k" where sequence.isShort: .character("+")
        case "m" where sequence.isShort: .character("-")
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }
}
