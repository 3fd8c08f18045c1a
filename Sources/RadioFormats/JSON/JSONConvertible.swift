// SPDX-License-Identifier: MIT

/// What can be the value of a member of an object that is written as a literal. An optional value that is nil is `null`.
package protocol JSONConvertible {
    var json: JSONValue { get }
}

extension JSONValue: JSONConvertible {
    package var json: JSONValue { self }
}

extension JSONObject: JSONConvertible {
    package var json: JSONValue { .object(self) }
}

extension Bool: JSONConvertible {
    package var json: JSONValue { .bool(self) }
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
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, any JSONConvertible)...) {
        self.init(distinct: members.map { Member(name: $0, value: $1.json) })
    }

    /// The object without the members that are null.
    package var withoutNulls: JSONObject { JSONObject(distinct: members.filter { $0.value != .null }) }
}
