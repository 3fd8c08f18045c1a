// SPDX-License-Identifier: MIT

import FuzzTargets
import Testing

/// Streams on the whole path, from the bytes of connections to files, with counters that start near overflow.
struct WholePathTests {
    @Test(
        "B40: A sound stream is recorded whole, whatever its counters start from and whatever it claims",
        arguments: PathStream.allCases)
    func sound(_ stream: PathStream) {
        let body = stream.audio(60, seed: 40)
        for (samples, wall) in [(0, 0), (1, 1), (2, 2), (3, 3), (2, 0), (0, 1)] {
            var plan = PathPlan()
            plan.contentType = stream.contentType
            (plan.samples, plan.frames, plan.wall, plan.clock) = (samples, samples % 2, wall, wall % 2)
            plan.policy = wall
            let outcome = PathOutcome(plan, body)
            #expect(outcome.complaint == nil, "samples from \(samples), wall clock from \(wall)")
            #expect(outcome.frames == 60)
        }
    }

    @Test(
        "B40: A stream that is cut and partly sent again is recorded whole",
        arguments: [PathStream.mpeg, .adts, .opus, .vorbis, .flac])
    func cut(_ stream: PathStream) {
        let body = stream.audio(120, seed: 41)
        for ending in [PathPlan.Ending.complete, .dropped] {
            var plan = PathPlan()
            plan.contentType = stream.contentType
            (plan.connections, plan.overlap, plan.ending) = (3, 2, ending)
            (plan.samples, plan.frames) = (1, 1)
            let outcome = PathOutcome(plan, body)
            #expect(outcome.complaint == nil && outcome.frames == 120 && outcome.splices == 2)
        }
    }

    @Test("B42: Titles and formats that change at each frame cost in proportion to their bytes")
    func changes() {
        var plan = PathPlan()
        // Policy 1 makes a file for each title.
        plan.policy = 1
        plan.interval = 100
        let titles = (0..<1_000).map { "A - \($0)" }
        let audio = PathStream.mpeg.audio(60, seed: 44)
        let flood = PathOutcome(plan, PathStream.withMetadata(audio, every: plan.interval, titles))
        #expect(flood.complaint == nil && flood.frames == 60)
        let files = PathOutcome(plan, PathStream.withMetadata(audio, every: plan.interval, ["A - B", "C - D"]))
        #expect(files.complaint == nil && files.frames == 60)

        plan.interval = 0
        plan.contentType = PathStream.opus.contentType
        let links = (0..<60).map { number in
            let headers = number % 2 == 0 ? OggSample.opusHeaders() : OggSample.flacHeaders()
            let packet: [UInt8] = number % 2 == 0 ? [0xFC, UInt8(number)] : [0xFF, 0xF8, 0xC0, 0, 0, UInt8(number)]
            return OggSample.link(headers, [packet], serial: UInt32(number))
        }
        let formats = PathOutcome(plan, links.flatMap { $0.flatMap { $0 } })
        #expect(formats.complaint == nil && formats.frames == 60)
    }

    @Test("B40: Randomly mutated streams trap nothing, and all sums are sane", arguments: PathStream.allCases)
    func mutated(_ stream: PathStream) {
        var random = SplitMix64(seed: 42)
        let titles = ["A - B", String(repeating: ";", count: 4_000), ""]
        var (frames, gaps) = (0, 0)
        for round in 0..<24 {
            let turn = stream.audio(40, seed: 43)
            var body = Bool.random(using: &random) ? turn + turn : turn + stream.audio(40, seed: UInt64(round))
            var plan = PathPlan(random.bytes(PathPlan.headerLength)) ?? PathPlan()
            plan.contentType = stream.contentType
            plan.interval = [0, 1_000, 37][round % 3]
            if plan.interval > 0 { body = PathStream.withMetadata(body, every: plan.interval, titles) }
            for _ in 0..<Int.random(in: 0...4, using: &random) { body.mutate(&random) }
            let outcome = PathOutcome(plan, body)
            #expect(outcome.complaint == nil, "round \(round)")
            frames += outcome.frames
            gaps += outcome.gaps
        }
        #expect(frames > 400 && gaps > 5)
    }
}

extension PathStream {
    /// The content type in the response head, as an index.
    fileprivate var contentType: Int {
        switch self {
        case .mpeg: 0
        case .adts: 1
        case .opus, .vorbis, .flac, .claims, .tiny: 2
        }
    }
}

extension [UInt8] {
    fileprivate mutating func mutate(_ random: inout SplitMix64) {
        let place = Int.random(in: 0..<count, using: &random)
        let end = Swift.min(count, place + Int.random(in: 1...600, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: self[place] ^= UInt8.random(in: 1...255, using: &random)
        case 1: removeSubrange(place..<end)
        case 2: insert(contentsOf: self[place..<end], at: place)
        case 3: for index in place..<end { self[index] = 0xFF }
        default: insert(contentsOf: random.bytes(30), at: place)
        }
    }
}
