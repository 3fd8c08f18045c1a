// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What to send of a representation, decided by the request's conditions and range (RFC 9110, sections 13.2 and 14.2):
/// a pure decision.
enum HTTPSelection: Hashable {
    case whole
    case part(Range<Int>)
    /// The client has the current version: 304.
    case notModified
    /// The representation is not what the client expects: 412.
    case preconditionFailed
    /// The range contains no bytes: 416.
    case unsatisfiable

    /// Evaluates the fields in the order of the RFC. Invalid dates are ignored.
    static func of(
        _ length: Int, _ tag: HTTPEntityTag?, modified: WallInstant?, for head: HTTPRequestHead
    ) -> HTTPSelection {
        let second = modified?.second
        let isRead = head.method == .get || head.method == .head
        if let wanted = head.list("if-match") {
            guard names(wanted, tag, { $0.matchesStrongly($1) }) else { return .preconditionFailed }
        } else if let second, let date = head.date("if-unmodified-since"), second > date {
            return .preconditionFailed
        }
        if let known = head.list("if-none-match") {
            guard !names(known, tag, { $0.matchesWeakly($1) }) else {
                return isRead ? .notModified : .preconditionFailed
            }
        } else if isRead, let second, let date = head.date("if-modified-since"), second <= date {
            return .notModified
        }
        // Ranges are defined for GET only.
        guard head.method == .get, let range = head["range"], isSame(head, tag, second) else {
            return .whole
        }
        return HTTPByteRange.selection(range, of: length)
    }

    private static func names(
        _ field: String, _ tag: HTTPEntityTag?, _ matches: (HTTPEntityTag, HTTPEntityTag) -> Bool
    ) -> Bool {
        if field == "*" { return true }
        guard let tag else { return false }
        return HTTPEntityTag.list(field).contains { matches($0, tag) }
    }

    /// Whether `If-Range` matches the current bytes exactly; otherwise the client gets the whole.
    private static func isSame(_ head: HTTPRequestHead, _ tag: HTTPEntityTag?, _ second: Int64?) -> Bool {
        guard let field = head["if-range"] else { return true }
        guard field.hasSuffix("\"") else { return second != nil && head.date("if-range") == second }
        guard let tag else { return false }
        let tags = HTTPEntityTag.list(field)
        return tags.count == 1 && tags[0].matchesStrongly(tag)
    }
}

extension HTTPRequestHead {
    /// The items of all fields with this name; nil if there is none.
    fileprivate func list(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// The date in a field, in seconds; nil if there is no valid one.
    fileprivate func date(_ name: String) -> Int64? {
        self[name].flatMap { CivilTime(httpDate: $0) }?.instant.second
    }
}

extension WallInstant {
    /// The time in whole seconds, because HTTP dates have no fractions.
    fileprivate var second: Int64 { nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0) }
}
