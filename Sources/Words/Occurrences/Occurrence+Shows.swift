// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Engine
import Instants
import RadioCore
import Recorder

// Occurrences of recordings, and the results of shows and manual recordings.
extension Wording {
    static func began(
        _ key: UseKey, _ recording: String, _ path: String, late: Duration?, in context: Occurrence.Context
    ) -> Occurrence {
        var began = Occurrence(
            late == nil ? .debug : .notice, .recordingStarted,
            as: late == nil ? "recording begun" : "recording begun late", of: .use(key),
            with: ["recording": recording], "", in: context
        ) { ($0.recording, $0.files) = (recording, [path]) }
        began.sentence = "started recording \(name(key))\(late.map { " \(Measure.span($0)) late" } ?? "")"
        began.fields["late"] = late.map(Measure.seconds)
        return began
    }

    static func ended(
        _ key: UseKey, _ recording: String, _ outcome: RecordingOutcome, in context: Occurrence.Context
    ) -> Occurrence? {
        let report = outcome.report
        // A show that was skipped or stopped before it began has nothing to say.
        if report.segments.isEmpty, report.gaps.isEmpty, outcome.failure == nil, report.frames == 0 { return nil }
        let fields = [
            "recording": recording, "seconds": "\(Int64(report.length.inSeconds))", "bytes": "\(report.bytes)",
            "files": "\(report.segments.count)", "gaps": "\(report.gaps.count)",
        ]
        var ended = Occurrence(
            .info, .recordingFinished, as: "recording ended", of: .use(key), with: fields, "", in: context
        ) {
            ($0.recording, $0.files, $0.cause) = (recording, report.files, outcome.failure?.message)
            ($0.seconds, $0.bytes, $0.gaps) = (report.length.inSeconds, report.bytes, report.gaps.count)
        }
        if report.frames == 0 { ended.told = nil }
        ended.sentence =
            "recorded \(name(key)): \(Measure.clock(seconds: report.length.inSeconds)) "
            + "(\(Measure.bytes(report.bytes))) in \(Measure.count(report.segments.count, "file"))"
            + (report.gaps.isEmpty ? "" : ", with \(Measure.count(report.gaps.count, "gap"))")
            + (outcome.failure.map { "; \($0.message)" } ?? "")
        return ended
    }

    static func ended(
        _ airing: ShowAiring, _ result: RecordingResult, in context: Occurrence.Context
    ) -> Occurrence {
        let name = "\(airing.show.name) of \(airing.airing.date)\(airing.airing.time.map { " at \($0)" } ?? "")"
        let (level, own, sentence): (Occurrence.Level, String?, String) =
            switch result.verdict {
            case .complete: (.notice, "show recorded", "was recorded completely")
            case .incomplete:
                (.warning, "show incomplete", "was recorded, but \(lack(result)) are missing\(why(result))")
            case .unknown: (.warning, "show unknown", "is over, but \(unknown)")
            case .missed: (.error, nil, "was missed: none of it was recorded\(why(result))")
            }
        return Occurrence(
            level, result.verdict.event, as: own, of: .use(airing.key), with: fields(result), "\(name) \(sentence)",
            in: context
        ) { event in
            context.note(result, in: &event)
            event.date = airing.airing.date
        }
    }

    static func ended(
        _ recording: ManualRecording, _ result: RecordingResult, in context: Occurrence.Context
    ) -> Occurrence {
        let (level, own, sentence): (Occurrence.Level, String?, String) =
            switch result.verdict {
            case .complete: (.notice, "recording complete", "is complete")
            case .incomplete:
                (.warning, nil, "is over, but \(lack(result)) are missing\(why(result))")
            case .unknown: (.warning, "recording unknown", "is over, but \(unknown)")
            case .missed: (.error, "recording missed", "is over, but none of it was recorded\(why(result))")
            }
        var ended = Occurrence(
            level, result.verdict.event, as: own, of: .use(recording.key), with: fields(result),
            "recording no. \(recording.number) \(sentence)", in: context
        ) { context.note(result, in: &$0) }
        ended.fields["number"] = "\(recording.number)"
        // Its user asked for it, and hears of what is missing only.
        if result.verdict == .complete { ended.told = nil }
        return ended
    }

    /// How much is missing, and why.
    private static func fields(_ result: RecordingResult) -> [String: String] {
        var fields = ["missing": Measure.seconds(result.lost)]
        fields["cause"] = result.cause
        return fields
    }

    private static func lack(_ result: RecordingResult) -> String { "\(Measure.length(result.lost)) of it" }

    /// The reason, to be appended to a sentence.
    private static func why(_ result: RecordingResult) -> String { result.cause.map { " (\($0))" } ?? "" }

    private static let unknown = "it is not known how much of it was recorded: the catalog does not answer"

    private static func name(_ key: UseKey) -> String {
        guard let broadcast = key.broadcast else { return key.station }
        let time = broadcast.time.map { " at \($0)" } ?? ""
        return "\(key.station)'s \(broadcast.show) of \(broadcast.date)\(time)"
    }
}
