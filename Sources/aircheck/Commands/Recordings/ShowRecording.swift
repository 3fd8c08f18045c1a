// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioFormats
import Words

/// `aircheck recordings show`.
struct ShowRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a recording: its files, titles and gaps.")

    @Argument(
        help: ArgumentHelp("The recording's ID, as 'aircheck recordings' lists it.", valueName: "id"),
        completion: .recordings)
    var id: String

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let answer = try DaemonQuestion.ask(daemon.client, ControlTarget("/v1/recording").adding("id", id))
        if json { return Console.put(json: answer) }
        for line in RecordingText.lines(answer) { Console.put(line) }
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
        for file in answer["files"]?.arrayValue ?? [] {
            let isGrowing = isUnderWay && file["state"]?.stringValue == "growing"
            lines.append("  \(text(file["path"]))  \(size(of: file))\(isGrowing ? ", under way" : "")")
        }
        lines += RecordedCopy.all(in: answer).map { "  \($0.line)" }
        let gaps = answer["gaps"]?.arrayValue ?? []
        if !gaps.isEmpty { lines += ["", "gaps:"] }
        for gap in gaps {
            let length = gap["seconds"]?.doubleValue.map { Measure.length(.seconds($0)) } ?? "unknown"
            lines.append("  \(text(gap["at"]))  \(length): \(text(gap["cause"]))")
        }
        let titles = answer["titles"]?.arrayValue ?? []
        if !titles.isEmpty { lines += ["", "titles:"] }
        var last: JSONValue?
        for title in titles {
            // A title that is on air when a new file begins is a title of both files.
            if title["text"] != last { lines.append("  \(text(title["at"]))  \(text(title["text"]))") }
            last = title["text"]
        }
        return lines
    }

    private static func size(of file: JSONValue) -> String {
        let length = Measure.clock(seconds: file["seconds"]?.doubleValue ?? 0)
        return "\(length), \(Measure.bytes(file["bytes"]?.integerValue ?? 0))"
    }

    private static func text(_ value: JSONValue?) -> String { TitleText.cleaned(value?.stringValue ?? "") }
}
