// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// With what of a representation a request is answered, by its conditions and its range (RFC 9110, sections 13.2 and
/// 14.2): a pure decision.
enum HTTPSelection: Hashable {
    case whole
    case part(Range<Int>)
    /// The client has it already: 304.
    case notModified
    /// It is not what the client took it for: 412.
    case preconditionFailed
    /// There is nothing where the range asks for something: 416.
    case unsatisfiable

    /// In the order of the RFC. A date that is none is as good as no field.
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
        // Ranges are defined for GET alone.
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

    /// Whether `If-Range` names what there is now, to the byte; otherwise its client wants all of it.
    private static func isSame(_ head: HTTPRequestHead, _ tag: HTTPEntityTag?, _ second: Int64?) -> Bool {
        guard let field = head["if-range"] else { return true }
        guard field.hasSuffix("\"") else { return second != nil && head.date("if-range") == second }
        guard let tag else { return false }
        let tags = HTTPEntityTag.list(field)
        return tags.count == 1 && tags[0].matchesStrongly(tag)
    }
}

extension HTTPRequestHead {
    /// The items of all fields of that name; nil where there is none.
    fileprivate func list(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// The date in a field, in seconds; nil where there is none.
    fileprivate func date(_ name: String) -> Int64? {
        self[name].flatMap { CivilTime(httpDate: $0) }?.instant.second
    }
}

extension WallInstant {
    /// Dates of HTTP have seconds and no parts of them.
    fileprivate var second: Int64 { nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0) }
}
