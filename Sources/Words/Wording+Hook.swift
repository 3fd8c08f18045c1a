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
        let (title, sentence, tag) = words(event)
        return HookMessage(
            title: "\(event.isTrial ? "Test: " : "")\(title)".cut(toBytes: longestTitle),
            body: body(event, sentence), tag: tag)
    }

    /// An event's title, what has happened in a sentence, and the name of the picture that ntfy shows.
    private static func words(_ event: HookEvent) -> (title: String, sentence: String, tag: String) {
        let (subject, station) = (subject(event), station(event))
        switch event.kind {
        case .recordingStarted: return ("Recording \(subject)", "\(subject) is being recorded.", "record_button")
        case .recordingFinished: return ("Recorded \(subject)", "\(subject) was recorded\(measures(event)).", done)
        case .fileFinished:
            let how = event.isRecovered ? "was completed after a crash" : "is finished"
            return (
                "\(event.isRecovered ? "Completed" : "Finished") a file of \(subject)",
                "A file of \(subject) \(how)\(measures(event)).", done
            )
        case .showComplete:
            return ("Recorded completely: \(subject)", "\(subject) was recorded completely.", done)
        case .recordingIncomplete:
            let missing = event.seconds.map { Measure.span(.seconds(whole($0))) }
            return (
                "Recorded with parts missing: \(subject)",
                missing.map { "\(subject) was recorded, but \($0) of it are missing." }
                    ?? "Parts of \(subject) may be missing.", warning
            )
        case .showMissed: return ("Missed \(subject)", "Nothing of \(subject) was recorded.", "x")
        case .gap:
            let (length, count) = (event.seconds.map(length), gaps(event))
            return (
                "\(count ?? "A gap") in the recording of \(subject)",
                (length.map { "\($0) of \(subject) are missing" } ?? "Audio of \(subject) is missing")
                    + (count.map { ", in \($0)." } ?? "."), warning
            )
        case .stationDown:
            return ("\(station) is down", "\(station) cannot be received. Aircheck keeps trying.", warning)
        case .stationBack:
            // An outage may be over only because nothing needs the station.
            return event.cause != nil && !event.isTrial
                ? ("\(station) is not needed any more", "\(station) was down until now.", done)
                : ("\(station) is back", "\(station) is received again.", done)
        case .diskLow:
            let free = event.bytes.map { "Only \(size($0)) of the disk are free." } ?? "Little of the disk is free."
            return (
                "The disk for recordings is \(event.cause == nil ? "almost full" : "full")",
                "\(free) Delete or keep fewer recordings.", disk
            )
        case .diskFailing:
            let what = "\(subject) cannot be written to disk"
            return (what, "\(what). Aircheck keeps trying.", disk)
        case .diskWell:
            let what =
                event.station == nil ? "The disk for recordings has room again" : "\(subject) is written to disk again"
            let free = event.station == nil ? event.bytes.map { ": \(size($0)) are free" } : nil
            return (what, "\(what)\(free ?? "").", done)
        }
    }

    private static let (done, warning, disk) = ("white_check_mark", "warning", "floppy_disk")

    private static func body(_ event: HookEvent, _ sentence: String) -> String {
        var lines = [sentence]
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
