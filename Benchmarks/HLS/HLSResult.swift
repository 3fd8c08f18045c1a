// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport

/// What a recorder has made of a station in HLS.
struct HLSResult {
    let frames: FrameReport
    /// The places that were listed for long enough, after the first recorded frame.
    private let due: [Int]
    private let report: JSONValue?
    private let requests: Int
    private let words: String
    private let frameSeconds: Double

    /// `frame`: the playing time of a frame.
    init(frames: FrameReport, due: [Int], report: JSONValue?, requests: Int, words: String, frame: Duration) {
        (self.frames, self.report, self.requests, self.words) = (frames, report, requests, words)
        frameSeconds = frame.inSeconds
        let first = frames.first ?? 0
        self.due = due.filter { $0 >= first }
    }

    var lost: Int { Set(due).subtracting(frames.places.compactMap { $0 }).count }

    /// The number of surplus copies of frames.
    var twice: Int {
        let known = frames.places.compactMap { $0 }
        return known.count - Set(known).count
    }

    /// The lost frames that no gap of the report covers.
    var undated: Int {
        max(0, lost - Int(gaps.reduce(0, +).rounded()))
    }

    /// The lengths of the gaps in the report, in frames.
    var gaps: [Double] {
        (report?["gaps"]?.arrayValue ?? []).map { ($0["seconds"]?.doubleValue ?? 0) / frameSeconds }
    }

    /// The total number of deviations from the broadcast; the promise is 0.
    var flaws: Int { lost + twice + undated + frames.junkBytes + frames.foreign + frames.disorders }

    var cells: [String] {
        ["\(frames.places.count)", "\(lost)", "\(twice)", "\(undated)", "\(requests)", remarks.joined(separator: ", ")]
    }

    private var remarks: [String] {
        var remarks: [String] = []
        let missing = due.count { $0 > (frames.last ?? -1) }
        if missing > 80 { remarks.append("nothing of the last \(decimal(Double(missing) * frameSeconds)) s") }
        if frames.junkBytes > 0 { remarks.append("\(frames.junkBytes) bytes of junk") }
        if frames.foreign > 0 { remarks.append("\(frames.foreign) frames that nobody sent") }
        if frames.disorders > 0 { remarks.append("goes back \(frames.disorders) times") }
        if frames.places.isEmpty, let line = words.split(separator: "\n").last { remarks.append("\(line.prefix(80))") }
        return remarks
    }
}
