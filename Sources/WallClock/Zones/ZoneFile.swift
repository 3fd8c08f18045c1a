// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A time zone from the zone database: the offsets of a TZif file (RFC 9636). A value; nothing is open.
///
/// The system's `localtime_r` knows one zone a process, so zones of shows are read by this.
package struct ZoneFile: TimeZoneRules {
    package let identifier: String
    /// The offset before the first transition.
    private let firstOffset: Int
    /// Seconds since 1970 and the offset from then on, in ascending order.
    private let transitions: [(at: Int64, offset: Int)]
    /// What applies after the last transition; nil to keep the last offset.
    private let footer: ZoneRule?

    /// Parses a file's bytes. Throws if they are no zone.
    package init(parsing bytes: [UInt8], identifier: String) throws(ZoneError) {
        var reader = ZoneFileReader(bytes)
        let content = try reader.read()
        self.identifier = identifier
        firstOffset = content.firstOffset
        transitions = content.transitions
        footer = content.footer
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        let seconds = instant.nanoseconds.floorSeconds
        guard let last = transitions.last, seconds < last.at else {
            return footer?.utcOffset(at: seconds) ?? transitions.last?.offset ?? firstOffset
        }
        // The number of transitions at or before the instant.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : transitions[low - 1].offset
    }
}

/// Why a zone cannot be used.
package enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no zone of this name.
    case unknown(String)
    /// The system refuses to read it, with this `errno`.
    case unreadable(String, Int32)
    /// The file is no zone.
    case damaged

    package var description: String {
        switch self {
        case .unknown(let name): "there is no time zone called '\(name)'"
        case .unreadable(let name, let number): "the time zone '\(name)' cannot be read: error \(number)"
        case .damaged: "the file of this time zone is damaged; installing tzdata again puts that right"
        }
    }
}

extension Int64 {
    /// Whole seconds of a count of nanoseconds, rounded down.
    fileprivate var floorSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
