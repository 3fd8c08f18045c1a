// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import RadioCore
import RadioFormats
import Storage
import Words

/// `aircheck recordings levels`.
struct RecordingLevels: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "levels",
        abstract: "Shows how loud a recording is, second by second.",
        discussion: """
            Recordings of stations with levels = true have levels. Each file has a picture from -60 dB to full scale, \
            whose columns are as many seconds as fit the window. With --json, each pair of channels has RMS and peak of \
            each second, in decibels.
            """)

    @OptionGroup var recording: RecordingArgument

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let files = try ListedRecording.ask(options.client, recording.id)
        let found = files.paths.compactMap { path in
            files.library.segment(at: path).map { (path.joined(separator: "/"), $0, files.library.levels(of: $0)) }
        }
        if options.json { return Console.put(json: ["files": .array(found.map(LevelsText.json))]) }
        let width = Console.size.columns
        for (path, segment, levels) in found {
            for line in LevelsText.lines(path, segment, levels, width: width) { Console.put(line) }
        }
        guard found.contains(where: { $0.2 != nil }) else {
            var console = Console()
            console.say(
                "error: this recording has no levels; give its station levels = true, and run 'aircheck recordings rescan'"
            )
            throw ExitStatus.ioError.code
        }
    }
}

/// Levels as JSON and as a picture. Pure.
enum LevelsText {
    /// The height of the picture in rows, and how far below full scale it begins.
    private static let (rows, range) = (4, 60.0)
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")

    static func json(_ path: String, _ segment: LibrarySegment, _ levels: Levels?) -> JSONValue {
        let pairs = levels.map { levels in
            (0..<levels.pairs).map { pair -> JSONObject in
                let all = (0..<levels.seconds).map { levels[$0].dropFirst(pair).first?.decibels }
                return ["rms": all.map { $0?.rms }, "peak": all.map { $0?.peak }]
            }
        }
        return .object(["path": path, "at": segment.sidecar?.at, "pairs": pairs])
    }

    /// The head of a file, and its picture: the RMS of all channels as bars, and how loud it is. `?` is unknown.
    static func lines(_ path: String, _ segment: LibrarySegment, _ levels: Levels?, width: Int) -> [String] {
        let name = TitleText.cleaned(path)
        guard let levels, levels.seconds > 0 else { return ["\(name): no levels"] }
        let seconds = (0..<levels.seconds).map { levels[$0].compactMap(\.decibels) }
        let columns = max(1, min(width, seconds.count))
        let heights = (0..<columns).map { column -> Double? in
            let span = seconds[column * seconds.count / columns..<(column + 1) * seconds.count / columns].joined()
            return span.isEmpty ? nil : max(0, 1 + Decibels.mean(span.map(\.rms)) / range) * Double(rows * 8)
        }
        let picture = (0..<rows).reversed().map { row in
            String(
                heights.map { height -> Character in
                    guard let height else { return row == 0 ? "?" : " " }
                    return blocks[max(0, min(8, Int(height.rounded()) - 8 * row))]
                })
        }
        let all = seconds.joined()
        let (rms, peak) = (Decibels.mean(all.map(\.rms)), all.map(\.peak).max() ?? 0)
        let loud = all.isEmpty ? "" : ", RMS \(Decibels.text(rms)), peak \(Decibels.text(peak))"
        return ["\(name): \(Measure.clock(seconds: Double(seconds.count)))\(loud)"] + picture
    }
}

/// Values in decibels.
private enum Decibels {
    /// The mean of the powers.
    static func mean(_ values: [Double]) -> Double {
        10 * log10(values.reduce(0) { $0 + pow(10, $1 / 10) } / Double(max(1, values.count)))
    }

    static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10) dB" }
}
