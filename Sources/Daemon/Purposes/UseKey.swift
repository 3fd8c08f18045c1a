// SPDX-License-Identifier: MIT

package import RadioCore

/// What a use is for. The key stays the same when the configuration of the use changes.
package struct UseKey: Hashable, Sendable {
    /// The ID of the station.
    package var station: String
    package var kind: Kind

    package init(_ station: String, _ kind: Kind) {
        self.station = station
        self.kind = kind
    }

    /// A purpose and, if a station can be used for it several times, which of these uses. Each ``Purpose`` makes its
    /// own.
    package struct Kind: Hashable, Sendable {
        /// The word for the purpose in answers to programs.
        package let word: String
        /// The short name of the use in metrics, unique within its station.
        package var label: String { metric ?? name }
        private let metric: String?
        /// The place in the order of beginning: recordings begin first, because audio that they miss is lost.
        let rank: Int
        /// The broadcast to be recorded; nil if the use is not a show's recording.
        let broadcast: Broadcast?
        /// The number of a manual recording; nil for other uses.
        let number: Int?

        /// `metric`: the ``label``, if it differs from the name of the use.
        init(_ word: String, rank: Int, metric: String? = nil, broadcast: Broadcast? = nil, number: Int? = nil) {
            (self.word, self.rank, self.metric) = (word, rank, metric)
            (self.broadcast, self.number) = (broadcast, number)
        }

        /// Unique within a station. Files in the state folder contain it.
        fileprivate var name: String { broadcast?.description ?? (number.map { "\(word) \($0)" } ?? word) }
    }

    /// A broadcast of a show.
    package struct Broadcast: Hashable, Sendable {
        /// The ID of the show.
        package var show: String
        package var date: CalendarDate
        /// Nil for the first broadcast of the date.
        package var time: TimeOfDay?
    }

    /// See ``Kind/broadcast``.
    package var broadcast: Broadcast? { kind.broadcast }
    /// See ``Kind/number``.
    package var number: Int? { kind.number }
}

extension UseKey: CustomStringConvertible {
    package var description: String { "\(station) \(kind.name)" }
}

extension UseKey.Broadcast: CustomStringConvertible {
    package var description: String { "\(show) \(date)\(time.map { " \($0)" } ?? "")" }
}
