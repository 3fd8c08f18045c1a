// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import TestSupport
import TestTools

/// Measures how long audio takes from the first list that names its segment to a sink of the station, which runs on a
/// loop of its own. On loopback, the transfer takes next to nothing.
final class SegmentLatency {
    private let script: HLSScript
    private let began = MonotonicInstant.now
    private let servers: HLSServers
    private let loop: EventLoop
    private let arrived = Watched<[MonotonicInstant]>([])

    init(_ script: HLSScript) throws {
        self.script = script
        servers = try HLSServers([("a.test", script)], began: began)
        CurlLibrary.prepareResolver()
        loop = try EventLoop(name: "bench-hls")
        try loop.start()
        loop.post { [loop, arrived, url = servers.url] in LatencySink(url, reactor: loop.reactor, arrived).start() }
    }

    /// Ends the station.
    func figure() throws -> Figure {
        loop.shutdown()
        let arrivals = arrived.value
        let segments = script.variants[0].rendition.cuts[0].segments
        var named: [Int: MonotonicInstant] = [:]
        var fetched: [Int] = []
        for entry in servers.record.entries {
            let time = began + (entry.asked.time - script.onAir)
            if entry.asked.isList { entry.listing?.segments.forEach { named[$0] = named[$0] ?? time } }
            if case .segment(_, _, let index) = entry.asked.subject { fetched.append(index) }
        }
        guard let first = fetched.min() else { throw SetupError("no segment was fetched") }
        let start = segments[first].places.lowerBound
        // The first list names many segments at once.
        let delays = named.keys.sorted().compactMap { index -> Double? in
            let last = segments[index].places.upperBound - 1 - start
            guard index > first + 4, arrivals.indices.contains(last), let named = named[index] else { return nil }
            return (arrivals[last] - named) / .milliseconds(1)
        }.sorted()
        let most = delays.last ?? .infinity
        return Figure(
            name: "HLS: listed to last frame in the hub, ms", ours: "\(decimal(most)) ms",
            peer: "median \(decimal(median(delays))) ms", value: most, goal: .atMost(100))
    }
}
