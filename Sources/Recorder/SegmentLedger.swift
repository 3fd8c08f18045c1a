// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

/// What one file of a recording holds, as the recorder wrote it down on the way. A value.
///
/// Positions count frames from the beginning of the file.
struct SegmentLedger {
    let number: Int
    let format: StreamFormat
    /// Why it begins where it does.
    let began: CutCause
    /// The air time of the first frame.
    var start: WallInstant
    private(set) var frames: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    /// See ``AirTime/drift``.
    var clockDrift: Double?
    private(set) var titles: [Sidecar.Title] = []
    private(set) var gaps: [Sidecar.Gap] = []
    private(set) var splices: [Sidecar.Splice] = []
    private(set) var foreign: [Sidecar.Stretch] = []
    private(set) var repeated: [Sidecar.Stretch] = []
    var hasWholeSong: Bool?

    init(number: Int, format: StreamFormat, began: CutCause, start: WallInstant) {
        self.number = number
        self.format = format
        self.began = began
        self.start = start
    }

    mutating func count(frames: Int64, bytes: Int64, samples: Int64) {
        self.frames += frames
        self.bytes += bytes
        self.samples = self.samples.addingSaturated(samples)
    }

    mutating func add(_ title: Sidecar.Title) {
        titles.appendBounded(title)
    }

    mutating func add(_ gap: Sidecar.Gap) {
        gaps.appendBounded(gap)
    }

    /// Enters a gap before a frame that is there already.
    mutating func insert(_ gap: Sidecar.Gap) {
        gaps.insertInOrder(gap)
    }

    mutating func add(_ splice: Sidecar.Splice) {
        splices.appendBounded(splice)
    }

    /// Enters the part of a stretch that lies in this file, whose first frame is frame `first` of the recording. False
    /// where no part does.
    mutating func add(
        _ stretch: Sidecar.Stretch, _ kind: Stretch.Kind, first: Int64, zone: any TimeZoneRules
    ) -> Bool {
        let common = stretch.range.clamped(to: first..<first + frames)
        guard !common.isEmpty else { return false }
        // Frames of one file are of nearly the same length.
        let length = seconds * Double(common.count) / Double(frames)
        let part = Sidecar.Stretch(
            at: stretch.position < first ? CivilTime(start, in: zone) : stretch.at,
            milliseconds: Int64(clampingRounded: length * 1_000), position: common.lowerBound - first,
            frames: Int64(common.count))
        switch kind {
        case .foreign: foreign.appendBounded(part)
        case .repeated: repeated.appendBounded(part)
        }
        return true
    }

    /// Takes a gap out that is none after all. False where there is no such gap.
    mutating func withdraw(_ gap: Sidecar.Gap) -> Bool {
        gaps.withdraw(gap)
    }

    /// Cuts the ledger where its file was cut, and returns that of the rest, which goes into a file of its own.
    mutating func cut(_ facts: FileFacts, nextNumber: Int) -> SegmentLedger {
        var rest = SegmentLedger(
            number: nextNumber, format: format, began: .storage,
            start: start + .samples(facts.samples, at: format.sampleRate))
        rest.count(frames: frames - facts.frames, bytes: bytes - facts.bytes, samples: samples - facts.samples)
        rest.titles = titles.split(at: facts.frames)
        rest.gaps = gaps.split(at: facts.frames)
        rest.splices = splices.split(at: facts.frames)
        rest.foreign = foreign.split(at: facts.frames)
        rest.repeated = repeated.split(at: facts.frames)
        rest.clockDrift = clockDrift
        rest.hasWholeSong = hasWholeSong.map { _ in false }
        hasWholeSong = hasWholeSong.map { _ in false }
        frames = facts.frames
        bytes = facts.bytes
        samples = facts.samples
        return rest
    }

    /// What is in the file if the newest frames of the recording are still `waiting`. Those of them that this file was
    /// to hold are taken off `waiting`.
    func facts(without waiting: inout FrameTotals, path: String) -> FileFacts {
        var facts = FileFacts(path: path)
        if waiting.frames < frames {
            facts.frames = frames - waiting.frames
            facts.bytes = bytes - waiting.bytes
            facts.samples = samples - waiting.samples
        }
        waiting -= FrameTotals(
            frames: frames - facts.frames, bytes: bytes - facts.bytes, samples: samples - facts.samples)
        return facts
    }

    var seconds: Double { format.seconds(of: samples) }

    func sidecar(_ settings: RecorderSettings, station: String, state: Sidecar.State) -> Sidecar {
        var plain = format
        plain.headerPackets = []
        var sidecar = Sidecar(
            format: plain, at: CivilTime(start, in: settings.zone), frames: frames, bytes: bytes, samples: samples,
            state: state)
        sidecar.recording = settings.recording
        sidecar.number = number
        sidecar.station = station
        sidecar.clockDrift = clockDrift
        sidecar.titles = titles
        sidecar.gaps = gaps
        sidecar.splices = splices
        sidecar.foreign = foreign
        sidecar.repeated = repeated
        sidecar.began = began
        sidecar.hasWholeSong = hasWholeSong
        return sidecar
    }
}
