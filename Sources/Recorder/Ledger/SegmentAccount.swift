// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

/// The frames in a file of a recording, and their totals. ``RecordingLedger`` has the events that belong to these
/// frames.
struct SegmentAccount {
    let number: Int
    let format: StreamFormat
    /// Why the segment begins where it does.
    let began: CutCause
    /// The name of the station from which the frames come.
    let station: String
    /// The air time of the first frame.
    private(set) var start: WallInstant
    /// The title that applied before the first frame, if any.
    private(set) var title: String?
    /// The number of frames of the recording before this file.
    private(set) var first: Int64
    private(set) var frames: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    /// See ``AirTime/drift``.
    private var clockDrift: Double?
    /// Both clocks at the first frame.
    private var clocks: ClockReading?
    /// The frame at which the clock was seen to be set; nil if it shows what it showed at first.
    private(set) var clockStep: Int64?
    /// The air time at which the newest frame ends.
    private var end: WallInstant?
    var hasWholeSong: Bool?

    init(
        number: Int, format: StreamFormat, began: CutCause, station: String, start: WallInstant, title: String? = nil,
        first: Int64, hasWholeSong: Bool? = nil
    ) {
        self.station = station
        self.number = number
        self.format = format
        self.began = began
        self.start = start
        self.title = title
        self.first = first
        self.hasWholeSong = hasWholeSong
    }

    /// The file's frames, by their positions in the recording.
    var range: Range<Int64> { first..<first + frames }
    var duration: Duration { .samples(samples, at: format.sampleRate) }
    var seconds: Double { format.seconds(of: samples) }

    mutating func count(_ chunk: Chunk, _ airTime: AirTime?, at clocks: ClockReading) {
        self.clocks = self.clocks ?? clocks
        let step = clocks.wall - (self.clocks ?? clocks).wall(at: clocks.now)
        clockStep = Self.steps.contains(max(step, .zero - step)) ? clockStep ?? frames : nil
        count(frames: Int64(chunk.frames.count), bytes: Int64(chunk.bytes.count), samples: chunk.samples)
        clockDrift = airTime?.drift ?? clockDrift
        end = airTime?.instant(ofSample: chunk.position.samples.addingSaturated(chunk.samples))
    }

    /// The step of the clock since the first frame; nil if there was none. Its length is the air time for which neither
    /// audio nor gaps account, rather than what the clocks show, so that the air time of the last frame is right: the
    /// clock of a machine that has slept is ahead, too, but a gap accounts for that time. `missing`: the length of all
    /// gaps after the first frame.
    func clockStep(missing: Duration) -> Sidecar.ClockStep? {
        guard let clockStep, let end else { return nil }
        return Sidecar.ClockStep(
            position: clockStep, milliseconds: (end - (start + duration + missing)).wholeMilliseconds)
    }

    /// A time server corrects smaller errors little by little. A clock with a larger error had not been set before: the
    /// file keeps its time, by which it is recognizable.
    private static let steps: ClosedRange<Duration> = .milliseconds(100) ... .seconds(86_400)

    private mutating func count(frames: Int64, bytes: Int64, samples: Int64) {
        self.frames += frames
        self.bytes += bytes
        self.samples = self.samples.addingSaturated(samples)
    }

    /// Counts found audio that was put into the file before its frame `index`. `start`: when the first frame of the
    /// file is on air now.
    mutating func put(_ new: Int64, before index: Int64, bytes: Int64, samples: Int64, start: WallInstant?) {
        if let clockStep, clockStep >= index { self.clockStep = clockStep + new }
        if index == frames { end = end.map { $0 + .samples(samples, at: format.sampleRate) } }
        count(frames: new, bytes: bytes, samples: samples)
        if index == 0, let start { self.start = start }
    }

    /// Updates ``first`` after frames have been put into an earlier file.
    mutating func move(over frames: Int64) { first += frames }

    /// Updates the times of frames that were on air later than was known. `position`: the first of them in the
    /// recording.
    mutating func delay(from position: Int64, by time: Duration) {
        if first >= position { start = start + time }
        if range.upperBound > position { end = end.map { $0 + time } }
    }

    /// Updates ``first`` after the frames in `range`, before or in this file, have been removed.
    mutating func move(without range: Range<Int64>) {
        first = first.without(range)
    }

    /// Cuts the account where the file was cut, and returns the account of the rest, which goes into its own file.
    /// `missing`: see ``RecordingLedger/missing(in:before:)``. A step of the clock belongs to one of the two.
    mutating func cut(_ facts: FileFacts, missing: Duration, nextNumber: Int) -> SegmentAccount {
        var rest = SegmentAccount(
            number: nextNumber, format: format, began: .storage, station: station,
            start: start + .samples(facts.samples, at: format.sampleRate) + missing,
            title: facts.frames > 0 ? nil : title, first: first + facts.frames)
        rest.count(frames: frames - facts.frames, bytes: bytes - facts.bytes, samples: samples - facts.samples)
        rest.clockDrift = clockDrift
        rest.hasWholeSong = hasWholeSong.map { _ in false }
        hasWholeSong = rest.hasWholeSong
        if facts.frames == 0 { title = nil }
        rest.end = end
        if let clockStep, clockStep <= facts.frames {
            end = rest.start
        } else {
            (rest.clocks, rest.clockStep) = (clocks, clockStep.map { $0 - facts.frames })
            clockStep = nil
        }
        frames = facts.frames
        bytes = facts.bytes
        samples = facts.samples
        return rest
    }

    /// The contents of the file, given that the newest frames of the recording have not been written yet: `waiting` has
    /// the totals of these frames. Subtracts the frames that were meant for this file from `waiting`.
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

    /// The part of a stretch in this file, with its position relative to the file; nil if there is none.
    func part(of stretch: Sidecar.Stretch, in zone: any TimeZoneRules) -> Sidecar.Stretch? {
        let common = stretch.range.clamped(to: range)
        guard !common.isEmpty else { return nil }
        // Frames of a file have nearly the same duration, so the file's duration is spread evenly over them.
        let length = seconds * Double(common.count) / Double(frames)
        return Sidecar.Stretch(
            at: stretch.position < first ? CivilTime(start, in: zone) : stretch.at,
            milliseconds: Int64(clampingRounded: length * 1_000), position: common.lowerBound - first,
            frames: Int64(common.count), by: stretch.by)
    }

    /// The sidecar without any entries.
    func sidecar(state: Sidecar.State, in zone: any TimeZoneRules) -> Sidecar {
        var plain = format
        plain.headerPackets = []
        var sidecar = Sidecar(
            format: plain, at: CivilTime(start, in: zone), frames: frames, bytes: bytes, samples: samples,
            state: state)
        sidecar.number = number
        sidecar.clockDrift = clockDrift
        sidecar.began = began
        sidecar.station = station
        sidecar.hasWholeSong = hasWholeSong
        return sidecar
    }
}
