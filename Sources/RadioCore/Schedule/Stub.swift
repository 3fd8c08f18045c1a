extension NameTemplate { package static var standardForShows: NameTemplate { .standard } }
extension Sidecar { package struct Show: Hashable, Sendable { package init(id: String, name: String, from: CivilTime, until: CivilTime) {} } }
