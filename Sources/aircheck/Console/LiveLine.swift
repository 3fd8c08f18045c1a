// SPDX-License-Identifier: MIT

import Engine
import Instants
import RadioFormats

/// The one line that is rewritten while a recording runs: a pure rendering of a progress value.
///
/// Narrower terminals lose parts from the least to the most important: reconnects of none, bit rate, size. The title
/// takes what is left.
enum LiveLine {
    static func render(_ progress: RecordProgress, width: Int) -> String {
        let elapsed = clock(progress.elapsed)
        let size = bytes(progress.bytes)
        let rate = progress.bitsPerSecond.map { "\(Int(($0 / 1000).rounded())) kbit/s" }
        let reconnects = progress.reconnects == 0 ? nil : "reconnects \(progress.reconnects)"
        // Servers have a word in this, too.
        let state = TitleText.cleaned(progress.waiting ?? progress.title ?? progress.station)
        let mark = progress.waiting == nil ? "●" : "○"

        // From the richest to the barest: the first that leaves room for some of the title wins.
        let choices: [[String?]] = [
            [elapsed, size, rate, reconnects], [elapsed, size, reconnects], [elapsed, reconnects], [elapsed],
        ]
        for parts in choices {
            let head = "\(mark) " + parts.compactMap { $0 }.joined(separator: "  ")
            let room = width - 1 - DisplayWidth.of(head) - 2
            if room >= min(16, DisplayWidth.of(state)) || parts.count == 1 {
                let tail = room > 3 ? "  " + DisplayWidth.cut(state, to: room) : ""
                return DisplayWidth.cut(head, to: max(1, width - 1)) + tail
            }
        }
        return elapsed
    }

    /// `1:02:03`, `2:03`.
    static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let pad = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(pad(rest / 60)):\(pad(rest % 60))" : "\(rest / 60):\(pad(rest % 60))"
    }

    /// `812 kB`, `14.2 MB`.
    static func bytes(_ count: Int64) -> String {
        if count < 1_000_000 { return "\(count / 1000) kB" }
        let tenths = count / (count < 1_000_000_000 ? 100_000 : 100_000_000)
        return "\(tenths / 10).\(tenths % 10) \(count < 1_000_000_000 ? "MB" : "GB")"
    }
}
