// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import RadioFormats

// What people read in a mail or on their phone.
extension HookEvent {
    /// One line: what happened, to what.
    package var title: String {
        let text =
            switch kind {
            case .recordingStarted: "Recording \(subject)"
            case .recordingFinished: "Recorded \(subject)"
            case .recordingIncomplete: "Recorded with parts missing: \(subject)"
            case .showMissed: "Missed \(subject)"
            case .gap: "A gap in the recording of \(subject)"
            case .stationDown: "\(stationText) is away"
            case .stationBack: "\(stationText) is back"
            case .diskLow: "The disk for recordings is almost full"
            }
        return text.cut(toBytes: Self.longestTitle)
    }

    /// A few lines, the last one without a line feed.
    package var body: String {
        var lines = [sentence]
        if let cause {
            let cleaned = Self.shown(cause, toBytes: Self.longestCause)
            if !cleaned.isEmpty { lines.append("Why: \(cleaned)") }
        }
        lines.append("When: \(at.rfc3339)")
        if !files.isEmpty {
            lines.append(files.count == 1 ? "File:" : "Files:")
            lines += files.prefix(Self.mostFilesShown).map { "  " + Self.shown($0, toBytes: Self.longestPath) }
            if files.count > Self.mostFilesShown { lines.append("  and \(files.count - Self.mostFilesShown) more") }
        }
        return lines.joined(separator: "\n")
    }

    private var sentence: String {
        switch kind {
        case .recordingStarted: "\(subject) is being recorded."
        case .recordingFinished: "\(subject) is recorded\(measures)."
        case .recordingIncomplete: "\(subject) is recorded\(measures), but parts are missing."
        case .showMissed: "Nothing of \(subject) was recorded."
        case .gap:
            seconds.map { "\(Self.length($0)) of \(subject) are missing." } ?? "Audio of \(subject) is missing."
        case .stationDown: "\(stationText) cannot be received. Aircheck keeps trying."
        case .stationBack: "\(stationText) is received again."
        case .diskLow:
            bytes.map { "Only \(Self.size($0)) of the disk are free. Delete something, or keep less." }
                ?? "Little of the disk is free. Delete something, or keep less."
        }
    }

    /// `: 59:58, 86.4 MB, 2 gaps`, as far as it is known.
    private var measures: String {
        let parts = [
            seconds.map(Self.clock), bytes.map(Self.size), gaps.map { $0 == 1 ? "1 gap" : "\($0) gaps" },
        ].compactMap(\.self)
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    /// The show and its station.
    private var subject: String {
        guard let show = showName ?? show else { return stationText }
        return "\(Self.shown(show, toBytes: Self.longestName)) on \(stationText)"
    }

    private var stationText: String {
        (stationName ?? station).map { Self.shown($0, toBytes: Self.longestName) } ?? "a station"
    }

    private static let longestTitle = 200
    private static let longestName = 80
    private static let longestCause = 500
    private static let longestPath = 500
    /// With the longest of everything, a body has less than 4 KiB, which is as much as a message of ntfy holds.
    private static let mostFilesShown = 5

    private static func shown(_ text: String, toBytes limit: Int) -> String {
        TitleText.cleaned(text, toBytes: limit)
    }

    /// `1:02:03` or `2:03`.
    private static func clock(_ seconds: Double) -> String {
        let whole = wholeSeconds(seconds)
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        let rest = "\(two(whole % 60))"
        return whole < 3600 ? "\(whole / 60):\(rest)" : "\(whole / 3600):\(two(whole / 60 % 60)):\(rest)"
    }

    /// `1.2 seconds` or `48 seconds`: tenths only below ten seconds.
    private static func length(_ seconds: Double) -> String {
        guard seconds < 10 else { return "\(wholeSeconds(seconds)) seconds" }
        let tenths = wholeSeconds(seconds * 10)
        return "\(tenths / 10).\(tenths % 10) seconds"
    }

    /// Not negative; 0 for what is no number.
    private static func wholeSeconds(_ seconds: Double) -> Int64 {
        seconds > 0 ? Int64(exactly: min(seconds, 1e15).rounded(.down)) ?? 0 : 0
    }

    /// `812 kB`, `14.2 MB` or `3.0 GB`.
    private static func size(_ bytes: Int64) -> String {
        if bytes < 1_000_000 { return "\(max(0, bytes) / 1000) kB" }
        let (unit, name): (Int64, String) = bytes < 1_000_000_000 ? (100_000, "MB") : (100_000_000, "GB")
        let tenths = bytes / unit
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }
}
