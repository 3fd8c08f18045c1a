// SPDX-License-Identifier: MIT

/// One media playlist of a live station and the segments behind it: a pure function of the programme's time.
///
///     let rendition = HLSRendition(programme, .packed, window: 6)
///     let restarted = HLSRendition(programme, .packed, runs: [
///         HLSRun { $0.firstNumber = 700 }, HLSRun { ($0.takesOver, $0.name) = (.seconds(90), "b") },
///     ])
///     // The encoder pauses: these frames do not exist, and the times of the others stay.
///     let paused = HLSRendition(programme.leavingOut(3000..<3400), .packed)
package struct HLSRendition: Sendable {
    /// What segments are.
    package enum Packaging: Sendable, Hashable {
        /// Bare frames after an ID3 tag with the time of the first (RFC 8216 §3.4).
        case packed
        /// An MPEG transport stream.
        case transportStream
        /// Fragmented MP4 with an initialisation section (AAC only).
        case fragments
    }

    /// How segments are encrypted (AES-128).
    package struct Key: Sendable, Hashable {
        package var bytes: [UInt8]
        /// The vector that the tag states; nil to use the segment's number.
        package var vector: [UInt8]?

        package init(_ bytes: [UInt8], vector: [UInt8]? = nil) { (self.bytes, self.vector) = (bytes, vector) }
    }

    package let programme: Broadcast
    package let packaging: Packaging
    package let runs: [HLSRun]
    /// The number of segments in a full list.
    package let window: Int
    /// What stands after the comma of `EXTINF`, from a time of the programme on.
    package var titles: [(from: Duration, text: String)] = []
    package var adverts: [HLSAdvert] = []
    package var key: Key?
    /// What precedes the names of segments in the list: a relative path, or a URL with another host.
    package var prefix = ""
    /// How long a segment can be fetched after it has left the list; nil for as long as a list is.
    package var keeps: Duration?
    /// How many segments are in one file, each with its `EXT-X-BYTERANGE`.
    package var segmentsPerFile = 1
    /// Whether packed segments have the title that applies in their tag, too (TIT2).
    package var tagsTitles = false
    /// Whether lists state the lengths of segments in whole seconds.
    package var roundsLengths = false
    /// How much later than possible segments are listed.
    package var delay = Duration.zero
    /// Whether the list of the whole programme ends (`EXT-X-ENDLIST`).
    package var ends = false
    /// The segments of each run, and the time at which its first segment begins.
    package let cuts: [(from: Duration, segments: [HLSSegment])]
    /// See ``counters(of:in:)``; by run.
    let counters: [[UInt8]]

    package init(
        _ programme: Broadcast, _ packaging: Packaging = .packed, runs: [HLSRun] = [HLSRun()], window: Int = 6
    ) {
        (self.programme, self.packaging, self.runs, self.window) = (programme, packaging, runs, window)
        var cuts: [(from: Duration, segments: [HLSSegment])] = []
        for (number, run) in runs.enumerated() {
            let before = number == 0 ? nil : cuts[number - 1].segments.last { $0.listed <= run.takesOver }
            let from = run.cutsFrom ?? before.map { $0.start + $0.length - .microseconds(2) } ?? .zero
            let segments = run.segments(of: programme, from: from)
            cuts.append((segments.first?.start ?? from, segments))
        }
        self.cuts = cuts
        counters = packaging == .transportStream ? cuts.map { Self.counters(of: $0.segments, in: programme) } : []
    }

    /// The segments in the list at a time, and their run; nil while there is none.
    package func listing(at time: Duration) -> HLSListing? {
        for run in runs.indices.reversed() where runs[run].takesOver <= time {
            let end = cuts[run].segments.prefixCount { $0.listed + delay <= min(time, begin(ofRun: run + 1)) }
            if end > 0 { return HLSListing(run: run, segments: max(0, end - window)..<end) }
        }
        return nil
    }

    /// When a run's first list appears.
    private func begin(ofRun run: Int) -> Duration {
        guard run < runs.count else { return .seconds(1 << 40) }
        return max(runs[run].takesOver, (cuts[run].segments.first?.listed ?? .seconds(1 << 40)) + delay)
    }

    /// The times at which a segment can be fetched.
    package func availability(ofRun run: Int, segment: Int) -> Range<Duration> {
        let segments = cuts[run].segments
        let follower = segment + window < segments.count ? segments[segment + window].listed + delay : nil
        let next = begin(ofRun: run + 1)
        let leaves = min(follower ?? next, next)
        let appears = max(segments[segment].listed + delay, runs[run].takesOver)
        return appears..<max(appears, leaves + (keeps ?? runs[run].segmentLength * window))
    }

    /// The places of all frames in segments that were listed in a range of time for at least `least`.
    package func places(listedIn span: Range<Duration>, forAtLeast least: Duration = .zero) -> [Int] {
        var places: Set<Int> = []
        for run in runs.indices {
            for (number, segment) in cuts[run].segments.enumerated() {
                let appears = max(segment.listed + delay, runs[run].takesOver)
                guard appears < begin(ofRun: run + 1) else { break }
                let kept = keeps ?? runs[run].segmentLength * window
                let leaves = availability(ofRun: run, segment: number).upperBound - kept
                let listed = appears..<max(appears, leaves)
                if listed.overlaps(span), listed.clamped(to: span).length >= least { places.formUnion(segment.places) }
            }
        }
        return places.sorted()
    }
}

/// What a list has: some segments of one run.
package struct HLSListing: Sendable, Hashable {
    package let run: Int
    /// The indices of the segments in ``HLSRendition/cuts``.
    package let segments: Range<Int>
}

extension Range<Duration> {
    fileprivate var length: Duration { upperBound - lowerBound }
}
