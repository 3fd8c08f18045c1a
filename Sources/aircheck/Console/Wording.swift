// SPDX-License-Identifier: MIT

import Engine
import Instants
import RadioCore
import Recorder
import Stations
import Storage
import WallClock

/// The words for what happens: constant sentences for people, the facts in between.
enum Wording {
    /// What happened, as it is said at `now`.
    static func line(_ notice: StationNotice, now: WallInstant = WallClock.now()) -> String? {
        switch notice {
        case .connecting(let url, let attempt):
            attempt == 1 ? "connecting to \(url)" : nil
        case .connected(let info):
            "connected to \(info.name)" + details(info)
        case .live(let again):
            again ? "the station is back" : nil
        case .followedPlaylist(let url, let entries):
            "\(url) is a playlist with \(entries) \(entries == 1 ? "address" : "addresses")"
        case .failed(let failure, let retryIn):
            trouble(failure) + retry(retryIn)
        case .hedging(let url, let hasStalled):
            (hasStalled ? "the station has fallen silent" : "no audio yet")
                + ", so a second connection is opened: \(url)"
        case .hedgeFailed(let failure):
            "the second connection failed, the first stays open: " + trouble(failure)
        case .spliced(let splice):
            "joined again after \(length(max(.zero, now - splice.at))), "
                + (splice.method == .match ? "nothing lost" : "in the middle of silence")
                + (splice.unheardFrames > 0
                    ? "; \(count(Int(clamping: splice.unheardFrames), "frame")) of something else left out before it"
                    : "")
        case .gap(let gap): line(gap)
        case .stretch(let stretch):
            switch stretch.kind {
            case .foreign:
                "the last \(length(stretch.length)) were not part of the programme (perhaps an advert): nothing is missing"
            case .repeated: "the last \(length(stretch.length)) had been recorded before: the station sent them again"
            }
        }
    }

    private static func line(_ gap: Gap) -> String {
        let what =
            if gap.overlap > .zero {
                "something may be missing here, or be recorded twice (\(length(gap.overlap)), judging by the clock)"
            } else if let missing = gap.length {
                missing > .zero ? "\(length(missing)) of the programme are missing" : "nothing is missing"
            } else {
                "some of the programme is missing"
            }
        var line = "\(what): \(gap.cause)"
        if gap.trimmedFrames > 0 {
            line += "; \(count(Int(clamping: gap.trimmedFrames), "frame")) left out that were on air before that"
        }
        if let repeats = gap.repeats { line += "; the station goes on with what it sent \(length(repeats)) ago" }
        return line
    }

    private static func details(_ info: StationInfo) -> String {
        var parts: [String] = []
        if let type = info.contentType { parts.append(type) }
        if let rate = info.declaredBitRate, rate > 0 { parts.append("\(rate) kbit/s") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// With what to do, but for a connection that broke: there Aircheck does it.
    private static func trouble(_ failure: Failure) -> String {
        failure.failureClass == .dropped ? "\(failure.message) [\(failure.failureClass.rawValue)]" : "\(failure)"
    }

    private static func retry(_ delay: Duration) -> String {
        delay < .milliseconds(100) ? "; trying again" : "; trying again in \(length(delay))"
    }

    /// `1.2 s`, `48 s`: no more digits than anybody wants to know.
    private static func length(_ duration: Duration) -> String {
        let tenths = (duration.components.seconds * 10) + duration.components.attoseconds / 100_000_000_000_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
    }

    static func line(_ notice: RecorderNotice) -> String? {
        switch notice {
        case .began(let path): "recording to \(path)"
        case .finished(let segment): "finished \(segment.path) (\(LiveLine.clock(.seconds(segment.seconds))))"
        case .recovered(let file): line(file)
        case .failing(let error): "\(error); recording goes on by itself when it can"
        case .resumed: "the disk takes data again"
        case .cut(let path, let error): "\(path) ends here, and another file goes on: \(error.cause)"
        case .lost(let gap): "audio was lost: \(gap.cause)"
        case .leftBehind(let path, let error):
            "\(path) could not be completed: \(error); the next run completes it"
        case .flawed(let error): "\(error)"
        case .noTitles: "the station sends no titles, so everything goes into one file"
        }
    }

    private static func line(_ file: RecoveredFile) -> String {
        switch file.outcome {
        case .completed: "completed \(file.path), which an earlier run had left unfinished"
        case .removed: "removed \(file.path), which an earlier run had left without any audio"
        case .failed(let error): "\(file.path) was left unfinished by an earlier run: \(error)"
        }
    }

    /// What is where, once all is done.
    static func summary(_ report: RecordingReport) -> [String] {
        let length = LiveLine.clock(.seconds(report.seconds))
        guard report.frames > 0 else { return ["nothing was recorded: it ended before there was any audio"] }
        guard !report.segments.isEmpty else {
            return ["sent \(length) (\(LiveLine.bytes(report.bytes))) to standard output"]
        }
        var lines = ["recorded \(length) (\(LiveLine.bytes(report.bytes))) in \(count(report.segments.count, "file")):"]
        if report.segments.count > mostFiles { lines.append("  …") }
        lines += report.segments.suffix(mostFiles).map { "  \($0.path)" }
        if !report.gaps.isEmpty {
            lines.append("with \(count(report.gaps.count, "gap")): the .json files say when and why")
        }
        if !report.foreign.isEmpty {
            let stretches = count(report.foreign.count, "stretch", "stretches")
            lines.append("with \(stretches) of something else, such as adverts: the .json files say where")
        }
        if !report.repeated.isEmpty {
            let stretches = count(report.repeated.count, "stretch", "stretches")
            lines.append("with \(stretches) that the station sent twice: the .json files say where")
        }
        return lines
    }

    /// That frames came damaged, if any did.
    static func line(wrongChecksums frames: Int64) -> String? {
        // Not all of them are recorded: a connection may bring again what was heard before.
        frames > 0 ? "\(count(Int(frames), "frame")) came with a wrong checksum: frames are recorded as they come" : nil
    }

    /// How the station's clock went, in parts per million.
    static func line(drift: Double) -> String {
        guard let size = Int(exactly: drift.magnitude.rounded()), size > 0 else {
            return "the station's clock goes as fast as the one here"
        }
        let way = drift > 0 ? "faster" : "slower"
        let perDay = length(.milliseconds(size) * 86.4)
        return "the station's clock is \(way) than the one here by \(size) ppm, \(perDay) a day"
    }

    private static let mostFiles = 10

    private static func count(_ number: Int, _ thing: String, _ things: String? = nil) -> String {
        number == 1 ? "1 \(thing)" : "\(number) \(things ?? thing + "s")"
    }
}
