// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
package import Recorder
package import Storage

// Messages about a recording.
extension Wording {
    static func line(lost gap: Sidecar.Gap) -> String {
        (gap.milliseconds.map { "\(Measure.length(.milliseconds($0))) of audio were" } ?? "audio was")
            + " lost: \(gap.cause)"
    }

    package static func line(_ file: RecoveredFile) -> String { line(file) { _ in nil } }

    /// A line about a file that a repair leaves alone or completes.
    package static func line(_ file: FolderRepair.Leftover) -> String {
        switch file.state {
        case .inUse: "left alone: \(name(of: file.path)), which is being recorded"
        case .closed(let error): "\(name(of: file.path)) could not be completed: \(error.cause)"
        case .foundAudio: "would put the audio in \(name(of: file.path)) into the recording beside it"
        case .unfinished: "would complete \(name(of: file.path)), or remove it if it has no audio"
        case .unfinishedSidecar: "would complete \(name(of: file.path)), or remove it if its audio is gone"
        }
    }

    static func line(_ file: RecoveredFile, _ setting: SettingName) -> String {
        switch file.outcome {
        case .completed where file.isRevised:
            "put audio into \(name(of: file.path)) that was found for it before an earlier run ended"
        case .completed:
            "completed \(name(of: file.path)), which an earlier run had left unfinished"
                + (file.unpatched.map { "; \(advice($0, setting))" } ?? "")
        case .removed: "removed \(name(of: file.path)), which an earlier run had left without any audio"
        case .failed(let error):
            "\(name(of: file.path)) was left unfinished by an earlier run: \(advice(error, setting))"
        }
    }

    /// A file's path, cleaned for a line, because names on a disk may contain control characters.
    private static func name(of path: String) -> String { TitleText.cleaned(path) }

    static func advice(_ error: StorageError, _ name: SettingName) -> String {
        "\(error.message): \(error.failure.naming(name).remedy)"
    }

    /// Why retention does not yet delete recordings because of their age.
    package static let ageHasToWait =
        "keep-days does not delete any recording yet: Aircheck trusts this machine's clock only "
        + "once it has run steadily for a day"

    /// A summary of what was recorded, and where.
    package static func summary(_ report: RecordingReport) -> [String] {
        let length = Measure.clock(seconds: report.seconds)
        guard report.frames > 0 else { return ["nothing was recorded: the recording ended before there was any audio"] }
        guard !report.segments.isEmpty else {
            return ["sent \(length) (\(Measure.bytes(report.bytes))) to standard output"]
        }
        var lines = [
            "recorded \(length) (\(Measure.bytes(report.bytes))) in \(Measure.count(report.segments.count, "file")):"
        ]
        if report.segments.count > mostFiles { lines.append("  …") }
        lines += report.segments.suffix(mostFiles).map { "  \($0.path)" }
        // Sidecars may be missing after a full disk, or be switched off.
        let (why, place) =
            report.hasSidecars ? (": the .json files say when and why", ": the .json files say where") : ("", "")
        // Where a recording goes on with another entry of a list, perhaps nothing is missing.
        let gaps = report.gaps.filter { $0.overlap != nil || $0.milliseconds.map { $0 >= leastGap } ?? true }
        if !gaps.isEmpty { lines.append("with \(Measure.count(gaps.count, "gap"))\(why)") }
        if !report.stretches[.foreign].isEmpty {
            let stretches = Measure.count(report.stretches[.foreign].count, "stretch", "stretches")
            lines.append("with \(stretches) of other audio, such as adverts\(place)")
        }
        let adverts = report.stretches[.advert].count
        if adverts > 0 { lines.append("with \(Measure.count(adverts, "advert")) that the station tells of\(place)") }
        if !report.stretches[.repeated].isEmpty {
            let stretches = Measure.count(report.stretches[.repeated].count, "stretch", "stretches")
            lines.append("with \(stretches) that the station sent twice\(place)")
        }
        return lines
    }

    private static let mostFiles = 10
    /// A shorter gap would be printed as 0.0 s. In milliseconds.
    private static let leastGap: Int64 = 50
}
