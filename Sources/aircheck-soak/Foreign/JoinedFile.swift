// SPDX-License-Identifier: MIT

import RadioCore

/// A file that is heard from a random byte on; of Ogg its header pages come first, as a server sends them.
struct JoinedFile {
    let comparison: FileComparison
    let place: Int
    let bytes: [UInt8]

    /// Whole frames that may be missing at a join: what is not yet known to be followed by another.
    private static let mostSkipped = 2

    init(_ comparison: FileComparison, _ random: inout SplitMix64) {
        self.init(comparison, at: Int.random(in: 1..<max(2, comparison.file.bytes.count), using: &random))
    }

    init(_ comparison: FileComparison, at place: Int) {
        self.comparison = comparison
        let file = comparison.file.bytes
        // The first packet of audio begins a page.
        let headers = comparison.isOgg ? comparison.listed.units.first?.offset ?? 0 : 0
        self.place = max(place, headers)
        bytes = Array(file[..<headers] + file[self.place...])
    }

    /// The units that what is heard may begin with.
    private var starts: ClosedRange<Int> {
        // The played units of Ogg are the listed ones, which have the places of their pages.
        let units = comparison.isOgg ? comparison.listed.units : comparison.played.units
        let first = units.firstIndex { $0.offset >= place } ?? units.count
        guard comparison.isOgg else { return first...first + Self.mostSkipped }
        // What the place is in the middle of, and what goes on from there into the next page, is torn.
        let next = units[first...].firstIndex { $0.offset > units[first].offset } ?? units.count
        return first...next + 1
    }

    /// What is wrong with what was heard: it must be the units from soon after the place on, to the one before `end`.
    func fault(of heard: HeardUnits, upTo end: Int) -> String? {
        let starts = starts.clamped(to: 0...end)
        guard let stretch = heard.stretch(of: comparison, from: Range(starts)) else {
            return "joined at byte \(place), it is no stretch that begins with one of \(starts)"
        }
        guard stretch.upperBound == end || stretch.isEmpty && starts.upperBound == end else {
            return "joined at byte \(place), it is \(stretch) of \(starts.lowerBound)..<\(end)"
        }
        return nil
    }

    /// Whether the last frame ends where the bytes do. While a connection is open and silent nothing shows that such a
    /// frame is whole, so a recording does not have it; what follows is a gap.
    var endsWithFrame: Bool {
        !comparison.isOgg && comparison.played.units.last?.range.upperBound == comparison.file.bytes.count
    }
}
