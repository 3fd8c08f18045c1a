// SPDX-License-Identifier: MIT

import Configuration
package import Daemon
import Instants
import RadioCore
import RadioFormats

// Messages of hooks. Names and causes are untrusted, so they are cleaned and cut.
extension Wording {
    /// The text about an event, for a mail or a phone.
    package static func message(_ event: HookEvent) -> HookMessage {
        HookMessage(title: title(event), body: body(event))
    }

    private static func title(_ event: HookEvent) -> String {
        let text =
            switch event.kind {
            case .recordingStarted: "Recording \(subject(event))"
            case .recordingFinished: "Recorded \(subject(event))"
            case .fileFinished: "\(event.isRecovered ? "Completed" : "Finished") a file of \(subject(event))"
            case .showComplete: "Recorded completely: \(subject(event))"
            case .recordingIncomplete: "Recorded with parts missing: \(subject(event))"
            case .showMissed: "Missed \(subject(event))"
            case .gap: "\(gaps(event) ?? "A gap") in the recording of \(subject(event))"
            case .stationDown: "\(station(event)) is down"
            case .stationBack: "\(station(event)) is \(isUnneeded(event) ? "not needed any more" : "back")"
            case .diskLow:
                event.cause == nil ? "The disk for recordings is almost full" : "The disk for recordings is full"
            case .diskFailing: "\(subject(event)) cannot be written to disk"
            case .diskWell:
                event.station == nil
                    ? "The disk for recordings has room again" : "\(subject(event)) is written to disk again"
            }
        return "\(event.isTrial ? "Test: " : "")\(text)".cut(toBytes: longestTitle)
    }

    private static func body(_ event: HookEvent) -> String {
        var lines = [sentence(event)]
        if let cause = event.cause {
            let cleaned = TitleText.cleaned(cause, toBytes: longestCause)
            if !cleaned.isEmpty { lines.append("Why: \(cleaned)") }
        }
        if let span = span(event) { lines.append("\(event.kind == .gap ? "Missing" : "Planned"): \(span)") }
        lines.append("When: \(event.at.rfc3339)")
        let files = event.files
        if !files.isEmpty {
            lines.append(files.count == 1 ? "File:" : "Files:")
            lines += files.prefix(mostFilesShown).map {
                "  " + TitleText.cleaned(PathText.shown($0), toBytes: longestPath)
            }
            if files.count > mostFilesShown { lines.append("  and \(files.count - mostFilesShown) more") }
        }
        return lines.joined(separator: "\n")
    }

    private static func sentence(_ event: HookEvent) -> String {
        switch event.kind {
        case .recordingStarted: "\(subject(event)) is being recorded."
        case .recordingFinished: "\(subject(event)) was recorded\(measures(event))."
        case .fileFinished:
            "A file of \(subject(event)) \(event.isRecovered ? "was completed after a crash" : "is finished")"
                + "\(measures(event))."
        case .showComplete: "\(subject(event)) was recorded completely."
        case .recordingIncomplete:
            event.seconds.map {
                "\(subject(event)) was recorded, but \(Measure.span(.seconds(whole($0)))) of it are missing."
            } ?? "Parts of \(subject(event)) may be missing."
        case .showMissed: "Nothing of \(subject(event)) was recorded."
        case .gap:
            (event.seconds.map { "\(length($0)) of \(subject(event)) are missing" }
                ?? "Audio of \(subject(event)) is missing") + (gaps(event).map { ", in \($0)." } ?? ".")
        case .stationDown: "\(station(event)) cannot be received. Aircheck keeps trying."
        case .stationBack: "\(station(event)) \(isUnneeded(event) ? "was down until now" : "is received again")."
        case .diskLow:
            event.bytes.map { "Only \(size($0)) of the disk are free. Delete or keep fewer recordings." }
                ?? "Little of the disk is free. Delete or keep fewer recordings."
        case .diskFailing: "\(subject(event)) cannot be written to disk. Aircheck keeps trying."
        case .diskWell:
            event.station == nil
                ? "The disk for recordings has room again\(event.bytes.map { ": \(size($0)) are free" } ?? "")."
                : "\(subject(event)) is written to disk again."
        }
    }

    /// The span of a broadcast to the minute, or that of gaps to the second: `2026-11-28 07:00 to 09:00`.
    private static func span(_ event: HookEvent) -> String? {
        guard let from = event.from?.rfc3339 else { return nil }
        let length = event.kind == .gap ? 19 : 16
        let day = from.prefix(10)
        let begin = "\(day) \(from.dropFirst(11).prefix(length - 11))"
        guard let until = event.until?.rfc3339 else { return begin }
        let end = until.dropFirst(11).prefix(length - 11)
        return "\(begin) to \(until.hasPrefix(day) ? "" : "\(until.prefix(10)) ")\(end)"
    }

    /// What was recorded, such as `: 59:58, 86.4 MB, 2 gaps`, as far as it is known.
    private static func measures(_ event: HookEvent) -> String {
        let parts = [
            event.seconds.map { Measure.clock(.seconds(whole($0))) }, event.bytes.map(size),
            gaps(event),
        ].compactMap(\.self)
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    /// The number of gaps that an event reports; nil for a single gap.
    private static func gaps(_ event: HookEvent) -> String? { event.gaps.map { Measure.count($0, "gap") } }

    /// Whether an outage is over only because nothing needs the station.
    private static func isUnneeded(_ event: HookEvent) -> Bool { event.cause != nil && !event.isTrial }

    /// The show and its station.
    private static func subject(_ event: HookEvent) -> String {
        guard let show = event.showName ?? event.show else { return station(event) }
        return "\(TitleText.cleaned(show, toBytes: longestName)) on \(station(event))"
    }

    private static func station(_ event: HookEvent) -> String {
        (event.stationName ?? event.station).map { TitleText.cleaned($0, toBytes: longestName) } ?? "a station"
    }

    private static let longestTitle = 200
    private static let longestName = 80
    private static let longestCause = 500
    private static let longestPath = 500
    /// The maximum number of files shown. With all texts at their limits, a body is still shorter than 4 KiB.
    private static let mostFilesShown = 5

    /// A duration such as `1.2 seconds`, `48 seconds` or `3 min 20 s`. It is rounded to milliseconds, because numbers
    /// such as 8.2 are not stored exactly.
    private static func length(_ seconds: Double) -> String {
        Measure.length(.milliseconds(whole((seconds * 1_000).rounded())), "seconds")
    }

    /// The number in whole units; 0 if it is negative or not a number.
    private static func whole(_ number: Double) -> Int64 {
        number > 0 ? Int64(exactly: min(number, 1e15).rounded(.down)) ?? 0 : 0
    }

    private static func size(_ bytes: Int64) -> String { Measure.bytes(max(0, bytes)) }
}
