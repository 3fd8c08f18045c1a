// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations

/// Everything that a station reported to its sink and its log, in lists.
struct Heard: Sendable {
    /// The bytes of all frames.
    var audio: [UInt8] = []
    var frames: Int64 = 0
    /// The position of each chunk.
    var positions: [Position] = []
    /// The number of samples of each chunk.
    var samples: [Int64] = []
    var infos: [StationInfo] = []
    var formats: [(format: StreamFormat, position: Position)] = []
    var titles: [StreamTitle] = []
    var splices: [Splice] = []
    var stretches: [Stretch] = []
    var found: [FoundAudio] = []
    var foreign: [Stretch] { stretches.filter { $0.kind == .foreign } }
    var repeated: [Stretch] { stretches.filter { $0.kind == .repeated } }
    var discontinuities: [Discontinuity] = []
    var airTimes: [AirTime] = []
    /// The kinds of events in their order. Consecutive chunks count as one.
    var order: [String] = []
    var notices: [StationNotice] = []
    var hasEnded = false
    var failure: Failure?
    /// The snapshot at the moment at which the test had what it waited for.
    var snapshot: StationSnapshot?
    /// The wall-clock time when the monotonic clock was at 0.
    var wallStart: WallInstant?
    /// When the first chunk arrived.
    var firstFrame: MonotonicInstant?
    /// When the newest chunk arrived.
    private var newest: MonotonicInstant?
    /// When the first chunk after a gap arrived.
    var firstAfterGap: MonotonicInstant?
    /// The longest time between two chunks.
    var longestPause = Duration.zero
    /// How many frames were delivered before each gap.
    var framesBeforeGaps: [Int] = []

    var gaps: [Gap] {
        discontinuities.compactMap { if case .gap(let gap) = $0.kind { gap } else { nil } }
    }

    var failures: [Failure] {
        notices.compactMap { if case .failed(let failure, _) = $0 { failure } else { nil } }
    }

    /// The addresses to which connections were made.
    var connections: [String] {
        notices.compactMap { if case .connecting(let url, _) = $0 { url } else { nil } }
    }

    mutating func add(_ event: StreamEvent, at now: MonotonicInstant, _ wall: WallInstant) {
        wallStart = wall - (now - MonotonicInstant(nanoseconds: 0))
        let kind: String
        switch event {
        case .station(let info):
            infos.append(info)
            kind = "station"
        case .format(let format, let position):
            formats.append((format, position))
            kind = "format"
        case .discontinuity(let discontinuity):
            discontinuities.append(discontinuity)
            if case .gap = discontinuity.kind { framesBeforeGaps.append(Int(frames)) }
            kind = "discontinuity"
        case .hole(let gap, let position):
            let index = discontinuities.firstIndex { $0.position.frames >= position.frames } ?? discontinuities.count
            let place = discontinuities[..<index].count { if case .gap = $0.kind { true } else { false } }
            if index < discontinuities.count, discontinuities[index].position.frames == position.frames,
                case .gap = discontinuities[index].kind
            {
                discontinuities[index].kind = .gap(gap)
            } else {
                discontinuities.insert(Discontinuity(kind: .gap(gap), position: position), at: index)
                framesBeforeGaps.insert(Int(position.frames), at: place)
            }
            kind = "hole"
        case .splice(let splice):
            splices.append(splice)
            kind = "splice"
        case .stretch(let stretch):
            stretches.append(stretch)
            kind = "\(stretch.kind)"
        case .found(let found):
            self.found.append(found)
            kind = "found"
        case .title(let title):
            titles.append(title)
            kind = "title"
        case .airTime(let airTime):
            airTimes.append(airTime)
            kind = "air time"
        case .chunk(let chunk):
            chunk.slice.withBytes { audio += $0 }
            frames += Int64(chunk.frames.count)
            positions.append(chunk.position)
            samples.append(chunk.samples)
            longestPause = max(longestPause, now - (newest ?? now))
            (firstFrame, newest) = (firstFrame ?? now, now)
            if !framesBeforeGaps.isEmpty { firstAfterGap = firstAfterGap ?? now }
            kind = "chunk"
        case .ended(let failure):
            hasEnded = true
            self.failure = failure
            kind = "end"
        }
        if kind != "chunk" || order.last != "chunk" { order.append(kind) }
    }
}
