// SPDX-License-Identifier: MIT

/// Why bytes are not a JSON document, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        /// More bytes than the caller allows.
        case tooLong = "too long"
        /// Arrays and objects nested deeper than ``JSONValue/maximumDepth``.
        case tooDeep = "nested too deeply"
        case endOfInput = "ends too early"
        case unexpectedByte = "unexpected character"
        /// A number that JSON does not allow, or that is too large for a double.
        case badNumber = "not a number"
        /// An unknown escape, or half of a surrogate pair.
        case badEscape = "bad escape"
        /// A bare control character in a string, or bytes that are not UTF-8.
        case badString = "bad string"
        /// Two members with one name: it is undefined which of them counts.
        case duplicateName = "duplicate name"
        case trailingBytes = "something follows the document"
    }

    package var reason: Reason
    /// The offset of the fault in bytes.
    package var offset: Int

    package init(_ reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "not JSON at byte \(offset): \(reason.rawValue)" }
}
