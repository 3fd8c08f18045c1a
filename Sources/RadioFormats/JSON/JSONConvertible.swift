// SPDX-License-Identifier: MIT

/// What can be the value of a member of an object that is written as a literal. An optional value that is nil is
/// `null`, or leaves the member out: see ``ifKnown``.
package protocol JSONConvertible {
    var json: JSONValue { get }
    /// The value as that of a member; nil leaves the member out.
    var member: JSONValue? { get }
}

extension JSONConvertible {
    package var member: JSONValue? { json }
}

extension JSONValue: JSONConvertible {
    package var json: JSONValue { self }
}

extension JSONObject: JSONConvertible {
    package var json: JSONValue { .object(self) }
}

extension Bool: JSONConvertible {
    package var json: JSONValue { .bool(self) }

    /// This value for an object that leaves its member out if it is false.
    package var ifTrue: some JSONConvertible { (self ? true : nil).ifKnown }
}

extension Int: JSONConvertible {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONConvertible {
    package var json: JSONValue { .integer(self) }
}

extension Double: JSONConvertible {
    package var json: JSONValue { .number(self) }
}

extension String: JSONConvertible {
    package var json: JSONValue { .string(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSONValue { .array(map(\.json)) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    package var json: JSONValue { self?.json ?? .null }

    /// This value for an object that leaves its member out if it is nil.
    package var ifKnown: some JSONConvertible { KnownMember(member: self?.json) }
}

private struct KnownMember: JSONConvertible {
    let member: JSONValue?
    var json: JSONValue { member ?? .null }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, any JSONConvertible)...) {
        for (name, value) in members { append(name, value) }
    }
}
