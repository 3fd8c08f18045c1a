// SPDX-License-Identifier: MIT

/// Evaluates the value of a `Range` field (RFC 9110, section 14).
///
/// Answers with a single range. A request for several satisfiable ranges gets the whole instead, which the RFC allows:
/// no player asks for several ranges, and multipart answers invite abuse (CVE-2011-3192). Like nginx with `max_ranges
/// 1`, it also refuses malformed ranges and ignores units other than bytes.
enum HTTPByteRange {
    static func selection(_ field: String, of length: Int) -> HTTPSelection {
        let bytes = Array(field.utf8)
        let unit = "bytes="
        guard bytes.count > unit.utf8.count, field.prefix(unit.count).lowercased() == unit else { return .whole }
        var found: Range<Int>?
        for text in bytes[unit.utf8.count...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let (start, end) = bounds(text, length) else { return .unsatisfiable }
            if start < end {
                guard found == nil else { return .whole }
                found = start..<end
            } else if start == 0 {
                // The range covers the whole of an empty representation.
                return .whole
            }
        }
        return found.map(HTTPSelection.part) ?? .unsatisfiable
    }

    /// The bounds of a range, cut to the length; nil if it is malformed.
    private static func bounds(_ text: ArraySlice<UInt8>, _ length: Int) -> (start: Int, end: Int)? {
        let text = text.withoutSpaces
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (before, after) = (text[..<dash].withoutSpaces, text[(dash + 1)...])
        guard let first = number(before) else {
            guard before.isEmpty, let suffix = number(after) else { return nil }
            return (max(length - suffix, 0), length)
        }
        guard let last = number(after.withoutSpaces) else {
            return after.withoutSpaces.isEmpty ? (first, length) : nil
        }
        return (first, last < length ? last + 1 : length)
    }

    /// Parses digits only. A number too large for 64 bits becomes the largest one.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}

extension ArraySlice<UInt8> {
    fileprivate var withoutSpaces: Self {
        let start = drop { $0 == UInt8(ascii: " ") }
        return start[..<((start.lastIndex { $0 != UInt8(ascii: " ") }).map { $0 + 1 } ?? start.startIndex)]
    }
}
