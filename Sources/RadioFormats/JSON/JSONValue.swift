// SPDX-License-Identifier: MIT

/// A JSON document or a part of it (RFC 8259), for sidecars and `--json`: members keep their order and integers stay
/// integers.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent. NaN and infinity, which JSON does not have, are written as `null`.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The member with that name; nil if there is none, or if this is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var integerValue: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number, whether it is an integer or has a fraction; nil for any other value.
    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }
}

extension JSONValue {
    /// A time in seconds, to the millisecond: sums of binary fractions would be written with 16 digits.
    package static func seconds(_ seconds: Double) -> JSONValue { .number((seconds * 1_000).rounded() / 1_000) }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(distinct: elements.map { JSONObject.Member(name: $0, value: $1) }))
    }
}
