// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Judges the actions of a machine, from what it has done before and what has happened.
struct HLSOracle {
    private(set) var objections: [String] = []
    private(set) var delivered: [HLSSegmentID] = []
    private(set) var leftOut: [HLSSegmentID: Bool] = [:]
    private(set) var found: Set<HLSSegmentID> = []
    private(set) var stops: [Failure?] = []
    private(set) var (loads, fetches): ([MonotonicInstant], [(id: HLSSegmentID, at: MonotonicInstant)]) = ([], [])
    private(set) var outages = 0
    private(set) var lineages = 0
    /// When the deliveries were.
    private(set) var deliveries: [MonotonicInstant] = []

    /// The requests for each segment: a second one if the first takes long.
    private var fetching: [HLSSegmentID: [MonotonicInstant]] = [:]
    private var held: [HLSSegmentID: Int] = [:]
    private var isLoading = false
    private var lineage = -1
    private var last: HLSSegmentID?

    private static let mostHeld = 16 << 20

    var hasStopped: Bool { !stops.isEmpty }

    mutating func object(_ text: String) { objections.append(text) }

    mutating func loaded(_ list: MediaPlaylist?, _ now: MonotonicInstant) { isLoading = false }

    /// A request has ended. `bytes`: what is kept of its answer.
    mutating func fetched(_ id: HLSSegmentID, _ bytes: Int?, hasFailed: Bool = false) {
        if hasFailed { fetching[id]?.removeFirst() } else { fetching[id] = nil }
        if let bytes { held[id] = bytes }
        if fetching[id]?.isEmpty == true { fetching[id] = nil }
    }

    mutating func judge(_ action: HLSMachine.Action, _ now: MonotonicInstant) {
        switch action {
        case .load:
            if isLoading { object("two loads at once") }
            isLoading = true
            loads.append(now)
        case .fetch(let id, let segment):
            if fetching[id]?.last == now { object("\(id) is fetched twice at once") }
            fetching[id, default: []].append(now)
            if fetching[id, default: []].count > 2 { object("\(id) is fetched by three requests") }
            let wanted = fetching.keys.count { leftOut[$0] == nil }
            if wanted > 2 || fetching.count > 4 { object("\(fetching.count) fetches at once") }
            if held[id] != nil || delivered.last == id { object("\(id) is fetched although it is there") }
            if segment.isGap { object("\(id) is absent, and fetched") }
            if id.number != segment.number { object("\(id) has another number") }
            // What is being fetched when the limit is reached is held beyond it.
            let others = held.filter { leftOut[$0.key] == nil && $0.key.lineage == lineage }.values.reduce(0, +)
            if others > Self.mostHeld + 2 << 20 { object("\(others) bytes are held") }
            fetches.append((id, now))
        case .begin:
            (lineage, last) = (lineage + 1, nil)
            lineages += 1
        case .deliver(let delivery):
            if held.removeValue(forKey: delivery.id) == nil { object("\(delivery.id) is delivered, and not there") }
            inOrder(delivery.id)
            delivered.append(delivery.id)
            deliveries.append(now)
        case .leaveOut(let id, let segment, let failure):
            if segment.isGap != (failure == nil) { object("\(id) is left out for the wrong reason") }
            inOrder(id)
            leftOut[id] = segment.isGap
        case .found(let id, _):
            if leftOut[id] != false { object("\(id) is found, and was not lost") }
            if held.removeValue(forKey: id) == nil { object("\(id) is found, and not there") }
            if !found.insert(id).inserted { object("\(id) is found twice") }
        case .outage: outages += 1
        case .stop(let failure): stops.append(failure)
        }
    }

    private mutating func inOrder(_ id: HLSSegmentID) {
        // What was of an earlier lineage comes before the new one begins.
        if id.lineage != lineage { object("\(id) comes while lineage \(lineage) is current") }
        if let last, last.number >= id.number { object("\(id) comes after \(last.number)") }
        last = id
    }

    /// The most of these times within one second.
    static func most(_ times: [MonotonicInstant], within length: Duration = .seconds(1)) -> Int {
        var (most, first) = (0, 0)
        for index in times.indices {
            while times[index] - times[first] >= length { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
