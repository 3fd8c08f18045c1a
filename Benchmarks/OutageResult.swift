// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// The result of one recorder.
struct OutageResult {
    let frames: FrameReport
    let files: Int
    /// The number of connections that were disturbed.
    let faults: Int
    /// The report of `--json`; only for Aircheck.
    var report: JSONValue?
    /// The number of frames that aired after the last recorded one; 0 if a recorder normally has that many frames
    /// buffered.
    private(set) var missingAtEnd = 0

    /// The number of frames that a recorder may not have written yet when it is asked to end: two seconds.
    private static let inHand = 77
    private static let frameSeconds = 1152.0 / 44_100

    init(frames: FrameReport, files: Int, faults: Int) {
        (self.frames, self.files, self.faults) = (frames, files, faults)
    }

    /// Sets ``missingAtEnd`` from the range of places that any recorder has recorded.
    mutating func compare(with all: ClosedRange<Int>) {
        let missing = all.upperBound - (frames.last ?? all.lowerBound - 1)
        missingAtEnd = missing > Self.inHand ? missing : 0
    }

    var lost: Int { frames.lost.count + missingAtEnd }
    /// The number of surplus copies of frames.
    var duplicated: Int {
        let known = frames.places.compactMap { $0 }
        return known.count - Set(known).count
    }
    private var gaps: Int { report?["gaps"]?.arrayValue?.count ?? 0 }

    /// The total number of deviations from the broadcast; the promise is 0.
    var flaws: Int {
        lost + duplicated + frames.junkBytes + frames.foreign + frames.disorders + gaps + abs(files - 1)
    }

    /// The cells of a table row.
    func cells(_ name: String) -> [String] {
        [name, "\(lost)", "\(duplicated)", "\(frames.junkBytes)", "\(files)", remarks.joined(separator: ", ")]
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if let report {
            func count(_ name: String) -> Int { report[name]?.arrayValue?.count ?? 0 }
            remarks.append("`gaps` " + (gaps == 0 ? "empty" : "\(gaps)"))
            remarks.append("\(report["reconnects"]?.integerValue ?? 0) reconnects")
            remarks.append("\(report["hedges"]?.integerValue ?? 0) hedges")
            remarks.append("\(count("splices")) splices")
        }
        // If the end is missing, the recorder did not survive one of its faults. That fault caused no loss in the
        // middle.
        let survived = faults - (missingAtEnd > 0 ? 1 : 0)
        if !frames.lost.isEmpty, survived > 0 {
            let each = frames.lost.count / survived
            remarks.append("\(each) frames (\(decimal(Double(each) * Self.frameSeconds)) s) a time")
        }
        if missingAtEnd > 0 {
            remarks.append("nothing of the last \(decimal(Double(missingAtEnd) * Self.frameSeconds)) s")
        }
        if frames.foreign > 0 { remarks.append("\(frames.foreign) frames that nobody sent") }
        if frames.disorders > 0 { remarks.append("goes back \(frames.disorders) times") }
        return remarks
    }
}
