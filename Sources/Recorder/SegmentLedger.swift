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
    /// The air time of the first frame.
    var start: WallInstant
    private(set) var frames: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    private(set) var titles: [Sidecar.Title] = []
    private(set) var gaps: [Sidecar.Gap] = []
    var hasWholeSong: Bool?

    init(number: Int, format: StreamFormat, start: WallInstant) {
        self.number = number
        self.format = format
        self.start = start
    }

    mutating func count(frames: Int64, bytes: Int64, samples: Int64) {
        self.frames += frames
        self.bytes += bytes
        self.samples += samples
    }

    mutating func add(_ title: Sidecar.Title) {
        titles.appendBounded(title)
    }

    mutating func add(_ gap: Sidecar.Gap) {
        gaps.appendBounded(gap)
    }

    /// Cuts the ledger where its file was cut, and returns that of the rest, which goes into a file of its own.
    mutating func cut(_ facts: FileFacts, nextNumber: Int) -> SegmentLedger {
        var rest = SegmentLedger(
            number: nextNumber, format: format, start: start + .samples(facts.samples, at: format.sampleRate))
        rest.count(frames: frames - facts.frames, bytes: bytes - facts.bytes, samples: samples - facts.samples)
        rest.titles = titles.filter { $0.position >= facts.frames }.map { $0.moved(by: -facts.frames) }
        rest.gaps = gaps.filter { $0.position >= facts.frames }.map { $0.moved(by: -facts.frames) }
        rest.hasWholeSong = hasWholeSong.map { _ in false }
        titles.removeAll { $0.position >= facts.frames }
        gaps.removeAll { $0.position >= facts.frames }
        hasWholeSong = hasWholeSong.map { _ in false }
        frames = facts.frames
        bytes = facts.bytes
        samples = facts.samples
        return rest
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
        sidecar.titles = titles
        sidecar.gaps = gaps
        sidecar.hasWholeSong = hasWholeSong
        return sidecar
    }
}

extension Sidecar.Title {
    func moved(by frames: Int64) -> Sidecar.Title {
        Sidecar.Title(at: at, position: position + frames, text: text)
    }
}

extension Sidecar.Gap {
    func moved(by frames: Int64) -> Sidecar.Gap {
        Sidecar.Gap(at: at, milliseconds: milliseconds, cause: cause, tried: tried, position: position + frames)
    }

    /// A gap as the station told it.
    init(_ gap: Gap, in zone: any TimeZoneRules, position: Int64) {
        self.init(
            at: CivilTime(gap.at, in: zone), milliseconds: gap.length.map { $0.wholeNanoseconds / 1_000_000 },
            cause: gap.cause, tried: gap.tried, position: position)
    }
}
