package import Instants
extension Show { package func airings(overlapping span: Range<WallInstant>, in zone: any TimeZoneRules) -> [Airing] { [] } }
extension CalendarDate: CustomStringConvertible { package var description: String { "\(dayNumber)" } }
extension NameTemplate { package static var standardForShows: NameTemplate { .standard } }
extension Sidecar { package struct Show: Hashable, Sendable { package init(id: String, name: String, from: CivilTime, until: CivilTime) {} } }
