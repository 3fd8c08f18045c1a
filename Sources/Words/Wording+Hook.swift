// SPDX-License-Identifier: MIT

package import Daemon
import RadioCore
import RadioFormats

// Messages of hooks. Names and causes are untrusted, so they are cleaned and cut.
extension Wording {
    /// The text about an event, for a mail or a phone.
    package static func message(_ event: HookEvent) -> HookMessage {
        let words = words[event.name]?(event) ?? name(event)
        return HookMessage(
            title: "\(event.isTrial ? "Test: " : "")\(words.title)".cut(toBytes: longestTitle),
            body: body(event, words.sentence), tag: words.tag)
    }

    /// An event's title, what has happened in a sentence, and the name of the picture that ntfy shows.
    private typealias Words = (title: String, sentence: String, tag: String)

    /// An event that has no words of its own. Its cause says more.
    private static func name(_ event: HookEvent) -> Words {
        let name = "\(subject(event)): \(event.name.words)"
        return (name, "\(name).", event.name.isGood ? done : warning)
    }

    private static let words: [EventName: @Sendable (HookEvent) -> Words] = [
        .recordingStarted: { ("Recording \(subject($0))", "\(subject($0)) is being recorded.", "record_button") },
        .recordingFinished: { ("Recorded \(subject($0))", "\(subject($0)) was recorded\(measures($0)).", done) },
        .fileFinished: { event in
            let (what, measures) = ("a file of \(subject(event))", measures(event))
            return event.isRecovered
                ? ("Completed \(what)", "A file of \(subject(event)) was completed after a crash\(measures).", done)
                : ("Finished \(what)", "A file of \(subject(event)) is finished\(measures).", done)
        },
        .showComplete: {
            ("Recorded completely: \(subject($0))", "\(subject($0)) was recorded completely.", done)
        },
        .recordingIncomplete: { event in
            let lost = event.seconds.map { "was recorded, but \(Measure.span(.seconds(whole($0)))) of it are missing." }
            let sentence = lost.map { "\(subject(event)) \($0)" } ?? "Parts of \(subject(event)) may be missing."
            return ("Recorded with parts missing: \(subject(event))", sentence, warning)
        },
        .showMissed: { ("Missed \(subject($0))", "Nothing of \(subject($0)) was recorded.", "x") },
        .gap: { event in
            let (subject, count) = (subject(event), gaps(event))
            let lost = event.seconds.map { "\(length($0)) of \(subject) are" } ?? "Audio of \(subject) is"
            let sentence = "\(lost) missing\(count.map { ", in \($0)" } ?? "")."
            return ("\(count ?? "A gap") in the recording of \(subject)", sentence, warning)
        },
        .recordingHealed: { event in
            let found = event.seconds.map { "\(length($0)) that were missing are" } ?? "Audio that was missing is"
            return ("A gap of \(subject(event)) is closed", "\(found) in the recording of \(subject(event)).", done)
        },
        .stationDown: {
            ("\(station($0)) is down", "\(station($0)) cannot be received. Aircheck keeps trying.", warning)
        },
        .stationBack: {
            // An outage may be over only because nothing needs the station.
            $0.cause != nil && !$0.isTrial
                ? ("\(station($0)) is not needed any more", "\(station($0)) was down until now.", done)
                : ("\(station($0)) is back", "\(station($0)) is received again.", done)
        },
        .diskLow: { event in
            let free = event.bytes.map { "Only \(size($0)) of the disk are free." } ?? "Little of the disk is free."
            let title = "The disk for recordings is \(event.cause == nil ? "almost full" : "full")"
            return (title, "\(free) Delete or keep fewer recordings.", disk)
        },
        .diskFailing: {
            let title = "\(subject($0)) cannot be written to disk"
            return (title, "\(title). Aircheck keeps trying.", disk)
        },
        .diskWell: {
            let isWritten = "\(subject($0)) is written to disk again"
            let title = $0.station == nil ? "The disk for recordings has room again" : isWritten
            let free = $0.station == nil ? $0.bytes.map { ": \(size($0)) are free" } : nil
            return (title, "\(title)\(free ?? "").", done)
        },
    ]

    private static let (done, warning, disk) = ("white_check_mark", "warning", "floppy_disk")

    private static func body(_ event: HookEvent, _ sentence: String) -> String {
        var lines = [sentence]
        if let cause = event.cause {
            let cleaned = TitleText.cleaned(cause, toBytes: longestCause)
            if !cleaned.isEmpty { lines.append("Why: \(cleaned)") }
        }
        if let span = span(event) { lines.append("\(spans[event.name] ?? "Planned"): \(span)") }
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
        let length = spans[event.name] == nil ? 16 : 19
        let day = from.prefix(10)
        let begin = "\(day) \(from.dropFirst(11).prefix(length - 11))"
        guard let until = event.until?.rfc3339 else { return begin }
        let end = until.dropFirst(11).prefix(length - 11)
        return "\(begin) to \(until.hasPrefix(day) ? "" : "\(until.prefix(10)) ")\(end)"
    }

    /// What the span of an event is, to the second, where it is not that of a broadcast.
    private static let spans: [EventName: String] = [.gap: "Missing", .recordingHealed: "Found"]

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
