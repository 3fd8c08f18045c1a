// SPDX-License-Identifier: MIT

import RadioCore

/// A file received from a random byte on; for Ogg preceded by its header pages, as a server sends them.
struct JoinedFile {
    let comparison: FileComparison
    let place: Int
    let bytes: [UInt8]

    /// The maximum number of whole frames missing at a join: those not yet confirmed by a following frame.
    private static let mostSkipped = 2

    init(_ comparison: FileComparison, _ random: inout SplitMix64) {
        self.init(comparison, at: Int.random(in: 1..<max(2, comparison.file.bytes.count), using: &random))
    }

    init(_ comparison: FileComparison, at place: Int) {
        self.comparison = comparison
        let file = comparison.file.bytes
        // The first audio packet begins a page.
        let headers = comparison.isOgg ? comparison.listed.units.first?.offset ?? 0 : 0
        self.place = max(place, headers)
        bytes = Array(file[..<headers] + file[self.place...])
    }

    /// The units with which the received audio may begin.
    private var starts: ClosedRange<Int> {
        // For Ogg, use the listed units: they correspond to the played units, and have the offsets of their pages.
        let units = comparison.isOgg ? comparison.listed.units : comparison.played.units
        let first = units.firstIndex { $0.offset >= place } ?? units.count
        guard comparison.isOgg else { return first...first + Self.mostSkipped }
        // The unit that contains the place, and a packet that continues from there into the next page, are torn.
        let next = units[first...].firstIndex { $0.offset > units[first].offset } ?? units.count
        return first...next + 1
    }

    /// A description of what is wrong with the received audio; nil if it is right. The audio must be the units from
    /// soon after the place up to `end`.
    func fault(of heard: HeardUnits, upTo end: Int) -> String? {
        let starts = starts.clamped(to: 0...end)
        guard let stretch = heard.stretch(of: comparison, from: Range(starts)) else {
            return "joined at byte \(place), the audio does not begin with one of the units \(starts)"
        }
        guard stretch.upperBound == end || stretch.isEmpty && starts.upperBound == end else {
            return "joined at byte \(place), the audio is \(stretch) of \(starts.lowerBound)..<\(end)"
        }
        return nil
    }

    /// Whether the last frame ends with the file's last byte. On an open, silent connection nothing shows that such a
    /// frame is whole, so the recording lacks it, and a gap follows.
    var endsWithFrame: Bool {
        !comparison.isOgg && comparison.played.units.last?.range.upperBound == comparison.file.bytes.count
    }
}
