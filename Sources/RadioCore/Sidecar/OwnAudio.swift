// SPDX-License-Identifier: MIT

package import Instants

/// What of a recording is the station's. Positions count frames from the beginning of the recording.
package struct OwnAudio: Hashable, Sendable {
    /// A file of the recording, as far as it matters here.
    package struct File: Hashable, Sendable {
        package var station: String?
        package var at: WallInstant
        /// When the last frame ended on air.
        package var end: WallInstant
        package var frames: Int64

        package init(station: String?, at: WallInstant, end: WallInstant, frames: Int64) {
            (self.station, self.at, self.end, self.frames) = (station, at, end, frames)
        }
    }

    /// A place at which the recording has none of the station's audio: a gap, or audio that is not the station's.
    package struct Absence: Hashable, Sendable {
        /// The number of frames before the place, and how many of the frames from there on are not the station's.
        package var position: Int64
        package var frames: Int64
        /// When the station's audio stopped, and how much of it is missing.
        package var at: WallInstant
        package var length: Duration
        package var cause: String

        fileprivate var end: Int64 { position + frames }
    }

    /// The absences, in order. Foreign audio counts as missing for as long as it lasted. But if a gap accounts for that
    /// time, or if it came before the station, nothing is missing because of it. A file of another station between
    /// files of one station is foreign, too.
    package let absences: [Absence]
    /// The number of frames that are the station's.
    package let frames: Int64
    private let all: Int64
    private let files: [File]
    /// The gaps, and the foreign audio.
    private let missing: [Absence]
    private let inserted: [Absence]

    /// `frames`: the number of all frames, of which the first may be in none of `files`.
    package init(frames: Int64, files: [File], gaps: [Sidecar.Gap], foreign: [Sidecar.Stretch]) {
        let missing = gaps.map { gap in
            Absence(
                position: gap.position, frames: 0, at: gap.at.instant,
                length: .milliseconds(max(0, gap.milliseconds ?? 0)), cause: gap.cause)
        }
        self.init(all: frames, files, missing, Self.inserted(foreign, missing), Self.strangers([files])[0])
    }

    private init(
        all: Int64, _ files: [File], _ missing: [Absence], _ inserted: [Absence], _ strangers: [Absence]
    ) {
        let isWhole = files.reduce(0) { $0 + $1.frames } == all
        let others = isWhole ? Self.without(inserted, strangers) : []
        (self.all, self.files, self.missing, self.inserted) = (all, files, missing, inserted)
        absences = (missing + inserted + others).sorted { $0.position < $1.position }
        frames = all - absences.reduce(0) { $0 + $1.frames }
    }

    /// What each of these recordings has of its own; each continues the one before. A station is missing between two of
    /// its files also if they are in different recordings, so a restart while another station plays changes nothing.
    package static func inSequence(_ recordings: [OwnAudio]) -> [OwnAudio] {
        zip(recordings, strangers(recordings.map(\.files))).map { own, strangers in
            OwnAudio(all: own.all, own.files, own.missing, own.inserted, strangers)
        }
    }

    /// The foreign audio. Stretches that follow each other are one, such as the parts in two files.
    private static func inserted(_ foreign: [Sidecar.Stretch], _ gaps: [Absence]) -> [Absence] {
        let begins = Dictionary(gaps.map { ($0.position, $0.at) }, uniquingKeysWith: min)
        var found: [Absence] = []
        for stretch in foreign.sorted(by: { $0.position < $1.position }) where stretch.frames > 0 {
            let length = Duration.milliseconds(max(0, stretch.milliseconds))
            if let last = found.last, last.end == stretch.position, begins[last.end] == nil {
                found[found.count - 1].frames += stretch.frames
                found[found.count - 1].length += length
            } else {
                found.append(
                    Absence(
                        position: stretch.position, frames: stretch.frames, at: stretch.at.instant, length: length,
                        cause: "foreign audio was in its place"))
            }
        }
        for (index, absence) in found.enumerated() {
            let isCovered = begins[absence.end].map { $0 <= absence.at } ?? false
            if isCovered || absence.position == 0 { found[index].length = .zero }
        }
        return found
    }

    /// The files of other stations between files of one station, by recording. The station is missing from the end of
    /// its last file to the beginning of its next, as far as the recording reaches. Names tell stations apart only if a
    /// recording has files of both: else the user may have given the station another name meanwhile.
    private static func strangers(_ recordings: [[File]]) -> [[Absence]] {
        let files = Array(recordings.joined())
        let changing = Set(recordings.map { Set($0.map(\.station)) }.filter { $0.count > 1 }.joined())
        // The next file of the same station, by the number of a file.
        var next = [Int](repeating: -1, count: files.count)
        var seen: [String?: Int] = [:]
        for (index, file) in files.enumerated().reversed() {
            next[index] = seen.updateValue(index, forKey: file.station) ?? -1
        }
        // The files so far that are no strangers, and whose stations may come again.
        var open: [Int] = []
        var first = 0
        return recordings.map { own in
            let range = first..<first + own.count
            first = range.upperBound
            var (found, position) = ([Absence](), Int64(0))
            for (index, file) in zip(range, own) {
                defer { position += file.frames }
                while let last = open.last, next[last] < index { open.removeLast() }
                guard let last = open.last, files[last].station != file.station,
                    changing.contains(file.station), changing.contains(files[last].station)
                else {
                    open.append(index)
                    continue
                }
                let (end, back) = (files[last].end, files[next[last]].at)
                let before = range.contains(last) ? end : max(end, own[0].at)
                let until = range.contains(next[last]) ? back : min(back, own[own.count - 1].end)
                let isFirst = found.last.map { $0.end < position } ?? true
                found.append(
                    Absence(
                        position: position, frames: file.frames, at: before,
                        length: isFirst ? max(.zero, until - before) : .zero,
                        cause: "another station was in its place"))
            }
            return found
        }
    }

    /// The files that have none of the foreign audio. Both are in order.
    private static func without(_ foreign: [Absence], _ files: [Absence]) -> [Absence] {
        var (rest, reach) = (foreign[...], Int64(0))
        return files.filter { file in
            while let first = rest.first, first.position < file.end {
                reach = max(reach, first.end)
                rest.removeFirst()
            }
            return reach <= file.position
        }
    }
}
