// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// What happened in a recording, beside its files: a value.
///
/// Positions count frames from the beginning of the recording. Each entry is returned, for the ledger of the file that
/// it falls into.
struct RecordingLedger {
    private(set) var titles: [Sidecar.Title] = []
    private(set) var gaps: [Sidecar.Gap] = []
    private(set) var splices: [Sidecar.Splice] = []
    private(set) var foreign: [Sidecar.Stretch] = []
    private(set) var repeated: [Sidecar.Stretch] = []
    private(set) var bytes: Int64 = 0
    private(set) var seconds = 0.0
    private let zone: any TimeZoneRules
    private var map = FrameMap()
    /// The newest gaps that the station told of, with the station's frame: they may turn out to be none.
    private var told: [(frame: Int64, gap: Sidecar.Gap)] = []

    private static let mostTold = 1_000

    init(zone: any TimeZoneRules) {
        self.zone = zone
    }

    var frames: Int64 { map.count }

    /// Counts frames that follow, the first of which is the station's frame `first`.
    mutating func count(first: Int64, frames: Int64, bytes: Int64, seconds: Double) {
        map.append(first: first, count: frames)
        self.bytes += bytes
        self.seconds += seconds
    }

    // MARK: Entries, all of which belong to the next frame

    mutating func add(title text: String, at airTime: WallInstant) -> Sidecar.Title {
        let entry = Sidecar.Title(at: CivilTime(airTime, in: zone), position: frames, text: text)
        titles.appendBounded(entry)
        return entry
    }

    /// `frame` is the station's frame behind a gap that it told of; nil for audio that was lost here.
    mutating func add(_ gap: Gap, toldAt frame: Int64? = nil) -> Sidecar.Gap {
        let entry = Sidecar.Gap(gap, in: zone, position: frames)
        gaps.appendBounded(entry)
        if let frame {
            if told.count >= Self.mostTold { told.removeFirst() }
            told.append((frame, entry))
        }
        return entry
    }

    /// Enters a gap before a frame that is there already.
    mutating func insert(_ gap: Gap, at position: Int64) -> Sidecar.Gap {
        let entry = Sidecar.Gap(gap, in: zone, position: position)
        gaps.insertInOrder(entry)
        return entry
    }

    mutating func add(_ splice: Splice) -> Sidecar.Splice {
        var entry = Sidecar.Splice(
            at: CivilTime(splice.at, in: zone), position: frames, droppedFrames: splice.droppedFrames,
            by: splice.method.rawValue)
        entry.unheardFrames = splice.unheardFrames
        splices.appendBounded(entry)
        return entry
    }

    /// Enters a stretch, as far as its frames are here. Nothing of the programme is missing because of a foreign one:
    /// gaps that were entered inside it are taken out again, and returned.
    mutating func add(_ stretch: Stretch) -> (entry: Sidecar.Stretch, withdrawn: [Sidecar.Gap]) {
        let start = map.recorded(before: stretch.frames.lowerBound)
        let entry = Sidecar.Stretch(
            at: CivilTime(stretch.at, in: zone), milliseconds: stretch.length.wholeMilliseconds, position: start,
            frames: max(0, map.recorded(before: stretch.frames.upperBound) - start))
        guard stretch.kind == .foreign else {
            if entry.frames > 0 { repeated.appendBounded(entry) }
            return (entry, [])
        }
        if entry.frames > 0 { foreign.appendBounded(entry) }
        let withdrawn = told.filter { stretch.frames.contains($0.frame) }.map(\.gap)
        told.removeAll { stretch.frames.contains($0.frame) }
        for gap in withdrawn { gaps.withdraw(gap) }
        return (entry, withdrawn)
    }

    /// Takes the frames at `range`, which were never written, off the account.
    mutating func forget(_ range: Range<Int64>, bytes: Int64, seconds: Double) {
        map.remove(range)
        self.bytes -= bytes
        self.seconds -= seconds
        titles.remove(range)
        gaps.remove(range)
        splices.remove(range)
        foreign = foreign.compactMap { $0.without(range) }
        repeated = repeated.compactMap { $0.without(range) }
    }
}
