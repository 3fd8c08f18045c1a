// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

// A civil time is written as RFC 3339, a date and a time of day as they are printed, and a duration in seconds, to the
// millisecond.

extension CivilTime: JSONConvertible {
    package var json: JSONValue { .string(rfc3339) }
}

extension CalendarDate: JSONConvertible {
    package var json: JSONValue { .string(description) }
}

extension TimeOfDay: JSONConvertible {
    package var json: JSONValue { .string(description) }
}

extension Duration: JSONConvertible {
    package var json: JSONValue { .seconds(inSeconds) }
}

extension WallInstant: JSONConvertible {
    /// The time in UTC.
    package var json: JSONValue { CivilTime(self, utcOffset: 0).json }
}

extension JSONValue {
    /// The time that this text says as RFC 3339; nil for any other value.
    package var timeValue: CivilTime? { stringValue.flatMap(CivilTime.init(rfc3339:)) }

    package var dateValue: CalendarDate? { stringValue.flatMap { try? CalendarDate(parsing: $0) } }

    /// The span that the members `from` and `until` say; nil if there is none, or if it has no length.
    package var span: Range<WallInstant>? {
        guard let from = self["from"]?.timeValue, let until = self["until"]?.timeValue, from.instant < until.instant
        else { return nil }
        return from.instant..<until.instant
    }

    package var timeOfDayValue: TimeOfDay? { stringValue.flatMap { try? TimeOfDay(parsing: $0) } }
}
