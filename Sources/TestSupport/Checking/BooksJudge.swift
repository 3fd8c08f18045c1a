// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// Compares a daemon's books with the frames that a station has really sent.
package struct BooksJudge {
    private let programme: Broadcast
    private let checker: FrameChecker
    /// When the programme began on air.
    private let start: WallInstant

    /// Air times come from arrivals, so they are not exact.
    private static let tolerance = 0.4

    package init(_ programme: Broadcast, _ checker: FrameChecker, onAirSince start: WallInstant) {
        (self.programme, self.checker, self.start) = (programme, checker, start)
    }

    /// When a frame was on air.
    private func airs(_ place: Int) -> WallInstant { start + programme.frames[place].start }

    private func ends(_ place: Int) -> WallInstant { airs(place) + programme.frames[place].length }

    private static func milliseconds(_ gaps: [Sidecar.Gap]) -> Int64 {
        gaps.reduce(Int64(0)) { $0 + ($1.milliseconds ?? 0) }
    }

    private func compare(_ what: String, _ told: WallInstant, _ truth: WallInstant, _ complaints: inout [String]) {
        let error = (told - truth).inSeconds
        if abs(error) > Self.tolerance { complaints.append("\(what) \(error) s too late") }
    }
}

// MARK: - Recordings

extension BooksJudge {
    /// What is wrong with the books of all recordings of one purpose; empty if they agree with the frames. Each of them
    /// must continue the one before.
    package func complaints(about recordings: [BookedRecording]) -> [String] {
        let sorted = BookedRecording.inOrder(recordings)
        return sorted.indices.flatMap { index in
            let earlier = index > 0 ? sorted[index - 1] : nil
            var complaints = complaints(about: sorted[index])
            if sorted[index].continues != earlier?.id {
                complaints.append(
                    "it continues \(sorted[index].continues ?? "nothing"), not \(earlier?.id ?? "nothing")")
            }
            if let earlier { complaints += link(sorted[index], to: earlier) }
            return complaints.map { "\(sorted[index].id): \($0)" }
        }
    }

    private func complaints(about recording: BookedRecording) -> [String] {
        let report = recording.report
        guard report.duplicated.isEmpty, report.disorders == 0, report.foreign == 0, report.junkBytes == 0,
            let first = report.first, let last = report.last
        else { return ["its files are \(report)"] }
        var complaints = recording.files.flatMap(complaints)
        if recording.frames != report.places.count {
            complaints.append("it has \(report.places.count) frames, and is listed with \(recording.frames)")
        }
        // Audio that is missing at the end counts.
        let sidecars = recording.files.map(\.sidecar)
        let trailing = Self.milliseconds(recording.trailing)
        let end = ends(last) + .milliseconds(trailing)
        compare("it begins", recording.began, airs(first), &complaints)
        compare("it ends", recording.ended, end, &complaints)
        if abs(recording.seconds - (end - airs(first)).inSeconds) > 2 * Self.tolerance {
            complaints.append("it lasts \((end - airs(first)).inSeconds) s, and is listed with \(recording.seconds) s")
        }
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
    private func link(_ recording: BookedRecording, to earlier: BookedRecording) -> [String] {
        guard let last = earlier.report.last, let first = recording.report.first, airs(first) > ends(last) else {
            return []
        }
        let span = ends(last)..<airs(first)
        let leading: [Sidecar.Gap] = recording.files.first?.sidecar.gaps ?? []
        let gaps = leading.filter { $0.position == 0 } + earlier.trailing
        var (told, end) = (0.0, span.lowerBound)
        for gap in gaps.map({ Self.span($0).clamped(to: span) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            told += max(0, (gap.upperBound - max(end, gap.lowerBound)).inSeconds)
            end = max(end, gap.upperBound)
        }
        let missing = (span.upperBound - span.lowerBound).inSeconds
        guard abs(missing - told) > 2 * Self.tolerance else { return [] }
        return ["\(missing) s are missing after \(earlier.id), and the gaps there are \(told) s"]
    }

    private static func span(_ gap: Sidecar.Gap) -> Range<WallInstant> {
        gap.at.instant..<gap.at.instant + .milliseconds(max(0, gap.milliseconds ?? 0))
    }

    /// What is wrong with an export of these recordings as one file.
    package func complaints(aboutExport bytes: [UInt8], of recordings: [BookedRecording]) -> [String] {
        let report = checker.check(bytes)
        // The export of an MP3 that lacks a part begins with silent frames.
        let foreign = report.places.drop { $0 == nil }.count { $0 == nil }
        guard report.duplicated.isEmpty, report.disorders == 0, foreign == 0, report.junkBytes == 0,
            Set(report.places.compactMap(\.self)) == Self.held(recordings)
        else { return ["exported as \(report), instead of \(Self.held(recordings).count) frames"] }
        return []
    }
}

// MARK: - Shows and losses

extension BooksJudge {
    private static func held(_ recordings: [BookedRecording]) -> Set<Int> {
        Set(recordings.flatMap { $0.report.places.compactMap(\.self) })
    }

    /// The stretches of a span that are in none of these recordings.
    private func missing(in span: Range<WallInstant>, from recordings: [BookedRecording]) -> [Range<WallInstant>] {
        let held = Self.held(recordings)
        var missing: [Range<WallInstant>] = []
        for place in programme.frames.indices where span.contains(airs(place)) && !held.contains(place) {
            if let last = missing.last, last.upperBound >= airs(place) - .milliseconds(1) {
                missing[missing.count - 1] = last.lowerBound..<ends(place)
            } else {
                missing.append(airs(place)..<ends(place))
            }
        }
        return missing
    }

    /// What is wrong with the verdict about a show. `away`: when the station was off the air; `down`: when no daemon
    /// ran. If both were so, both are true causes.
    package func complaints(
        about show: BookedShow, from recordings: [BookedRecording], away: [Range<WallInstant>],
        down: [Range<WallInstant>]
    ) -> [String] {
        let missing = missing(in: show.window, from: recordings)
        let told = show.missing.reduce(0) { $0 + $1.span.seconds }
        // A verdict ignores stretches of less than half a second.
        let counted = [0.5 + Self.tolerance, 0.5 - Self.tolerance].map { least in
            missing.map(\.seconds).filter { $0 > least }.reduce(0, +)
        }
        let slack = Self.tolerance * Double(missing.count)
        var complaints: [String] = []
        if told < counted[0] - slack || told > counted[1] + slack || abs(told - show.seconds) > 0.1 {
            complaints.append("it lacks \(missing.map(\.seconds)) s, and its verdict says \(told), \(show.seconds) s")
        }
        for (span, cause) in show.missing {
            let truth = missing.reduce(0) { $0 + $1.clamped(to: span).seconds }
            if abs(truth - span.seconds) > 2 * Self.tolerance {
                complaints.append("\(span.seconds) s are said to be missing, and \(truth) s are")
            }
            let unwatched = span.without(away).map { span in down.reduce(0) { $0 + $1.clamped(to: span).seconds } }
                .reduce(0, +)
            // A daemon gives a sign of life each five seconds.
            let near = down.contains { ($0.lowerBound - .seconds(5)..<$0.upperBound).overlaps(span) }
            if cause.contains("not running") ? !near : unwatched > 0.95 * span.seconds {
                complaints.append("\(span.seconds) s are missing, \(unwatched) s without a daemon, because '\(cause)'")
            }
        }
        let result = show.missing.isEmpty ? "complete" : Self.held(recordings).isEmpty ? "missed" : "incomplete"
        if show.result != result { complaints.append("it is \(result), and its verdict is '\(show.result)'") }
        return complaints
    }

    /// What is lost of a span, although the station was on the air and the daemon ran. `away`: when one of these was
    /// not so. A kill loses what is not written yet, and a station is connected again some seconds after it returns.
    package func unexplained(
        in span: Range<WallInstant>, from recordings: [BookedRecording], away: [Range<WallInstant>]
    ) -> [String] {
        let excuses = away.map { $0.lowerBound - .seconds(1)..<$0.upperBound + .seconds(6) }
        return missing(in: span, from: recordings).compactMap { stretch in
            guard let worst = stretch.without(excuses).max(by: { $0.seconds < $1.seconds }),
                worst.seconds > Self.tolerance
            else { return nil }
            let from = (worst.lowerBound - start).inSeconds
            return "\(worst.seconds) s from \(from) s on are lost without a reason"
        }
    }
}

extension Range<WallInstant> {
    fileprivate var seconds: Double { length.inSeconds }
}
