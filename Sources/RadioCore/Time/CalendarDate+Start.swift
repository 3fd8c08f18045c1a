// SPDX-License-Identifier: MIT

package import Instants

extension CalendarDate {
    /// The first instant of the date in a zone. If a clock change skips midnight or the whole date, this is the instant
    /// of the change; if midnight occurs twice, this is the first occurrence.
    package func start(in zone: any TimeZoneRules) -> WallInstant {
        WallInstant(nanoseconds: zone.firstInstant(showing: dayNumber * LocalTime.day))
    }
}
