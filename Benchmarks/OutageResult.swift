// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// What one recorder made of the outages.
struct OutageResult {
    let frames: FrameReport
    let files: Int
    /// How many connections were harmed.
    let faults: Int
    /// What `--json` says, of Aircheck.
    var report: JSONValue?
    /// Frames that aired after the last one it recorded, where these are more than a recorder has in hand anyway.
    private(set) var missingAtEnd = 0

    /// What may not be written yet when a recorder is told to end, in frames: two seconds.
    private static let inHand = 77
    private static let frameSeconds = 1152.0 / 44_100

    init(frames: FrameReport, files: Int, faults: Int) {
        (self.frames, self.files, self.faults) = (frames, files, faults)
    }

    /// Takes the places of all frames that anyone recorded.
    mutating func compare(with all: ClosedRange<Int>) {
        let missing = all.upperBound - (frames.last ?? all.lowerBound - 1)
        missingAtEnd = missing > Self.inHand ? missing : 0
    }

    var lost: Int { frames.lost.count + missingAtEnd }
    /// Frames that are there once more than they were sent.
    var duplicated: Int {
        let known = frames.places.compactMap { $0 }
        return known.count - Set(known).count
    }
    private var gaps: Int { report?["gaps"]?.arrayValue?.count ?? 0 }

    /// Everything that is not as it was broadcast, in one number: 0 is what is promised.
    var flaws: Int {
        lost + duplicated + frames.junkBytes + frames.foreign + frames.disorders + gaps + abs(files - 1)
    }

    /// A row of the table.
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
        // The fault that it did not survive is not one of those that cost it something in between.
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
