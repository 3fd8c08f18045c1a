// SPDX-License-Identifier: MIT

package import Instants

extension CalendarDate {
    /// The first instant of the date in a zone. Where a clock change skips midnight, or the whole date, it is the
    /// instant of the change; where midnight comes twice, the first one.
    package func start(in zone: any TimeZoneRules) -> WallInstant {
        WallInstant(nanoseconds: zone.firstInstant(showing: dayNumber * LocalTime.day))
    }
}
