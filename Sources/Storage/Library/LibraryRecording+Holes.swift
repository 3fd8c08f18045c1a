// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

extension LibraryRecording {
    /// Files that are gone from a recording, between two files or at one of its ends.
    package struct Hole: Hashable, Sendable {
        /// The paths of those missing files that their neighbours name, below the recordings folder; only their names
        /// if the neighbours were moved.
        package var named: [[String]]
        /// The numbers of the missing files; nil if only the end is known. If only the beginning is known, this is the
        /// number of the first one. A file that got no frame used up a number, too.
        package var numbers: ClosedRange<Int>?
        /// The end of the audio before the hole, and the beginning of the file after it, with the gap before its first
        /// frame; nil if unknown, or if there is none.
        package var from: WallInstant?
        package var until: WallInstant?
        /// Whether the hole precedes all files that are left. Retention deletes the oldest files of a continuous
        /// recording, so such a hole need not be a fault.
        package var isBeforeAll = false
        /// Whether Aircheck itself has deleted all of these files, at a user's request or by the rules of retention.
        package var isDeleted = false
    }

    /// The holes in the recording, in order. Evidence is what files say of their neighbours (``missing``). `deleted`:
    /// the numbers of the files that Aircheck has deleted, as ranges that do not touch.
    package func holes(deleted: [ClosedRange<Int>]) -> [Hole] {
        let missing = Set(missing)
        guard !missing.isEmpty else { return [] }
        var holes: [Hole] = []
        for index in 0...segments.count {
            let before = index > 0 ? segments[index - 1] : nil
            let after = index < segments.count ? segments[index] : nil
            let links = [
                before == nil ? nil : neighbour(of: index - 1, 1), after == nil ? nil : neighbour(of: index, -1),
            ]
            var named: [[String]] = []
            for case let path? in links where missing.contains(path) && !named.contains(path) { named.append(path) }
            // One file, whose folder only one of its neighbours knows.
            if named.count == 2, named[0].last == named[1].last { named.removeAll { $0.count == 1 } }
            guard !named.isEmpty else { continue }
            var hole = Hole(named: named, isBeforeAll: before == nil)
            (hole.from, hole.until) = (before?.sidecar?.endOfAudio, after?.sidecar?.beginOnAir)
            if let first = before?.sidecar?.number {
                let end = after.map { $0.sidecar?.number ?? first } ?? first + 2
                if end - first > 1 { hole.numbers = first + 1...end - 1 }
            }
            hole.isDeleted = hole.numbers.map { numbers in deleted.contains { $0.contains(numbers) } } ?? false
            holes.append(hole)
        }
        return holes
    }
}
