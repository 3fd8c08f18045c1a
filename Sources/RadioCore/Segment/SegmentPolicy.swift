// SPDX-License-Identifier: MIT

/// When a recording starts a new file: the setting `segment`.
package enum SegmentPolicy: Hashable, Sendable {
    /// One file, as long as the format does not change.
    case none
    /// A file for each title.
    case title
    /// A file for each period of local time. Periods are counted from local midnight, and last one second to one day.
    case period(Duration)

    /// The default.
    package static let standard = SegmentPolicy.period(.seconds(3600))

    package enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        case duration(HumanDuration.ParseError)
        case tooShort
        case tooLong

        package var description: String {
            switch self {
            case .duration(let error): "\(error) (or \"title\" or \"none\")"
            case .tooShort: "a segment must last at least one second"
            case .tooLong: "a segment may last at most a day, because each midnight begins a new one; or use \"none\""
            }
        }
    }

    /// Parses `none`, `title` or a duration.
    package init(parsing text: String) throws(ParseError) {
        switch text {
        case "none": self = .none
        case "title": self = .title
        default:
            let period: Duration
            do { period = try HumanDuration.parse(text) } catch { throw .duration(error) }
            guard period >= .seconds(1) else { throw .tooShort }
            guard period <= .seconds(86_400) else { throw .tooLong }
            self = .period(period)
        }
    }
}

extension SegmentPolicy: CustomStringConvertible {
    /// The inverse of ``init(parsing:)``.
    package var description: String {
        switch self {
        case .none: "none"
        case .title: "title"
        case .period(let period): HumanDuration.print(period)
        }
    }
}
