// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioFormats
import Words

/// `aircheck recordings show`.
struct ShowRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a recording: its files, titles and gaps.")

    @Argument(help: .value("id", "The recording's ID, as 'aircheck recordings' lists it."), completion: .recordings)
    var id: String

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let target = ControlTarget("/v1/recording").adding("id", id)
        options.show(try options.client.answer(target), RecordingText.lines)
    }
}

/// The output of `aircheck recordings show`. Pure.
enum RecordingText {
    static func lines(_ answer: JSONValue) -> [String] {
        let folder = answer["folder"]?.stringValue ?? ""
        var lines = RecordingsTable.lines(["recordings": .array([answer["recording"] ?? .null])])
        lines.append("")
        lines.append("in \(folder):")
        // A file left unfinished by a crash has the same state, but does not grow.
        let isUnderWay = answer["recording"]?["state"]?.stringValue == "growing"
        for file in answer["files"].list {
            let isGrowing = isUnderWay && file["state"]?.stringValue == "growing"
            lines.append("  \(file["path"].shown)  \(size(of: file))\(isGrowing ? ", under way" : "")")
        }
        lines += RecordedCopy.all(in: answer).map { "  \($0.line)" }
        let gaps = answer["gaps"].list
        if !gaps.isEmpty { lines += ["", "gaps:"] }
        for gap in gaps {
            let length = gap["seconds"]?.doubleValue.map { Measure.length(.seconds($0)) } ?? "unknown"
            lines.append("  \(gap["at"].shown)  \(length): \(gap["cause"].shown)")
        }
        let titles = answer["titles"].list
        if !titles.isEmpty { lines += ["", "titles:"] }
        var last: JSONValue?
        for title in titles {
            // A title that is on air when a new file begins is a title of both files.
            if title["text"] != last { lines.append("  \(title["at"].shown)  \(title["text"].shown)") }
            last = title["text"]
        }
        return lines
    }

    private static func size(of file: JSONValue) -> String {
        let length = Measure.clock(seconds: file["seconds"]?.doubleValue ?? 0)
        return "\(length), \(Measure.bytes(file["bytes"]?.integerValue ?? 0))"
    }
}
