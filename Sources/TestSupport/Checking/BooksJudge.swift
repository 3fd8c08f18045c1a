// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A recording as a daemon's books describe it, with its files.
package struct BookedRecording {
    package struct File {
        package var sidecar: Sidecar
        package var audio: [UInt8]

        package init(_ sidecar: Sidecar, audio: [UInt8]) { (self.sidecar, self.audio) = (sidecar, audio) }
    }

    package var id: String
    /// As listed.
    package var began: WallInstant
    package var ended: WallInstant
    package var continues: String?
    /// In the order in which they are listed.
    package var files: [File]

    package init(id: String, began: WallInstant, ended: WallInstant, continues: String?, files: [File]) {
        (self.id, self.began, self.ended, self.continues, self.files) = (id, began, ended, continues, files)
    }
}

/// Compares a daemon's books with the frames that a station has really sent.
package struct BooksJudge {
    private let programme: Broadcast
    private let checker: FrameChecker
    /// When the programme began on air.
    private let start: WallInstant

    /// Air times come from arrivals, so they are not exact.
    private static let tolerance = 0.4

    package init(_ programme: Broadcast, onAirSince start: WallInstant) {
        self.programme = programme
        self.start = start
        checker = FrameChecker(programme)
    }

    /// What is wrong with the books; empty if they agree with the frames.
    package func complaints(about recordings: [BookedRecording]) -> [String] {
        let held = Dictionary(
            uniqueKeysWithValues: recordings.map { ($0.id, ($0, checker.check($0.files.map(\.audio)))) })
        return recordings.flatMap { recording -> [String] in
            guard let (_, report) = held[recording.id] else { return [] }
            return complaints(about: recording, report).map { "\(recording.id): \($0)" }
                + link(recording, report, to: recording.continues.flatMap { held[$0] })
        }
    }

    /// The seconds of a span that are in none of these recordings.
    package func missing(in span: Range<WallInstant>, from recordings: [BookedRecording]) -> Double {
        let places = Set(recordings.flatMap { checker.check($0.files.map(\.audio)).places.compactMap(\.self) })
        return programme.frames.indices.reduce(0) { sum, place in
            guard !places.contains(place), span.contains(airs(place)) else { return sum }
            return sum + programme.frames[place].length.inSeconds
        }
    }

    /// When a frame was on air.
    private func airs(_ place: Int) -> WallInstant { start + programme.frames[place].start }

    private func ends(_ place: Int) -> WallInstant { airs(place) + programme.frames[place].length }

    private func complaints(about recording: BookedRecording, _ report: FrameReport) -> [String] {
        guard report.duplicated.isEmpty, report.disorders == 0, report.foreign == 0, report.junkBytes == 0,
            let first = report.first, let last = report.last
        else { return ["its files are \(report)"] }
        var complaints = recording.files.flatMap(complaints)
        compare("it begins", recording.began, airs(first), &complaints)
        // Audio that is missing at the end counts.
        let sidecars = recording.files.map(\.sidecar)
        let trailing = Self.milliseconds(Self.trailing(recording))
        compare("it ends", recording.ended, ends(last) + .milliseconds(trailing), &complaints)
        var gaps: [Sidecar.Gap] = []
        for (index, sidecar) in sidecars.enumerated() {
            gaps += sidecar.gaps.filter { index > 0 || $0.position > 0 }
        }
        let lost = report.lost.reduce(0.0) { $0 + programme.frames[$1].length.inSeconds }
        let noted = Double(Self.milliseconds(gaps) - trailing) / 1_000
        let most = Self.tolerance * Double(gaps.count + 1)
        if abs(noted - lost) > most { complaints.append("\(lost) s are missing, and its gaps are \(noted) s") }
        return complaints
    }

    private func complaints(about file: BookedRecording.File) -> [String] {
        let report = checker.check(file.audio)
        var complaints: [String] = []
        if Int64(report.places.count) != file.sidecar.frames {
            complaints.append("a file has \(report.places.count) frames, and its sidecar \(file.sidecar.frames)")
        }
        if let first = report.first, let at = file.sidecar.at?.instant {
            compare("a file begins", at, airs(first), &complaints)
        }
        return complaints
    }

    /// The gaps between a recording and the one that it continues: those at the end of the one and at the beginning of
    /// the other, which may overlap.
    private func link(
        _ recording: BookedRecording, _ report: FrameReport, to earlier: (BookedRecording, FrameReport)?
    ) -> [String] {
        guard let (other, before) = earlier, let last = before.last, let first = report.first,
            airs(first) > ends(last)
        else { return [] }
        let span = ends(last)..<airs(first)
        let leading: [Sidecar.Gap] = recording.files.first?.sidecar.gaps ?? []
        let gaps = leading.filter { $0.position == 0 } + Self.trailing(other)
        var (told, end) = (0.0, span.lowerBound)
        for gap in gaps.map({ Self.span($0).clamped(to: span) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            told += max(0, (gap.upperBound - max(end, gap.lowerBound)).inSeconds)
            end = max(end, gap.upperBound)
        }
        let missing = (span.upperBound - span.lowerBound).inSeconds
        guard abs(missing - told) > 2 * Self.tolerance else { return [] }
        return ["\(recording.id): \(missing) s are missing after \(other.id), and the gaps there are \(told) s"]
    }

    private static func span(_ gap: Sidecar.Gap) -> Range<WallInstant> {
        gap.at.instant..<gap.at.instant + .milliseconds(max(0, gap.milliseconds ?? 0))
    }

    /// The gaps at the end of a recording.
    private static func trailing(_ recording: BookedRecording) -> [Sidecar.Gap] {
        guard let sidecar = recording.files.last?.sidecar else { return [] }
        return sidecar.gaps.filter { $0.position >= sidecar.frames }
    }

    private static func milliseconds(_ gaps: [Sidecar.Gap]) -> Int64 {
        gaps.reduce(Int64(0)) { $0 + ($1.milliseconds ?? 0) }
    }

    private func compare(_ what: String, _ told: WallInstant, _ truth: WallInstant, _ complaints: inout [String]) {
        let error = (told - truth).inSeconds
        if abs(error) > Self.tolerance { complaints.append("\(what) \(error) s too late") }
    }
}
