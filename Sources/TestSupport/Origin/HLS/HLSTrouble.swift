// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The kinds of trouble that a recorder of HLS has to survive without a lost or repeated frame, each as the scripts of
/// a station with segments of one second.
///
///     let servers = HLSTrouble.deadToken.servers(programme)
///     // The first server is "a.test", and the recorder asks it for HLSTrouble.path.
package enum HLSTrouble: String, CaseIterable, Sendable {
    case healthy
    case missing = "404 for the first two requests of a segment"
    case busy = "503 for the first three requests of a segment"
    case truncated = "a segment ends early"
    case truncatedSilently = "a segment of no stated length ends early"
    case webPage = "a web page comes in place of a segment"
    case empty = "a segment comes empty"
    case slow = "a segment takes three times its length"
    case staleEdge = "a list of three seconds ago, for two seconds"
    case standing = "the list stands still for three seconds"
    case deadToken = "the token dies"
    case lottery = "the token dies, and another mirror answers, a second behind"
    case renumbered = "the token dies, and a mirror with other numbers answers"
    case reset = "the encoder restarts, with dates"
    case undatedReset = "the encoder restarts, without dates"
    case lowerNumbers = "the server restarts with lower numbers"
    case pause = "the encoder pauses for half a second"
    case encrypted = "AES-128"
    case outage = "nothing answers for 20 s, in a window of 60 s"

    /// When the trouble comes, how often, and how long after each other.
    package struct Times: Sendable {
        package var begin: Duration
        package var count: Int
        package var every: Duration

        package init(begin: Duration = .seconds(75), count: Int = 20, every: Duration = .seconds(5)) {
            (self.begin, self.count, self.every) = (begin, count, every)
        }

        var all: [Duration] { (0..<count).map { begin + every * $0 } }
        var end: Duration { begin + every * count }

        /// The spans of a length that begin with each trouble.
        func spans(of length: Duration) -> @Sendable (Duration) -> Bool {
            { [begin, every, end] time in
                time >= begin && time < end
                    && (time - begin).wholeNanoseconds % every.wholeNanoseconds < length.wholeNanoseconds
            }
        }

        /// Whether a segment is the one that begins with a trouble.
        func hits(_ segment: HLSSegment) -> Bool {
            all.contains { (segment.start - $0).magnitude < .milliseconds(500) }
        }
    }

    /// What a recorder asks for at the first server.
    package static let path = "/station.m3u8"

    /// The programme as it is sent: without what the station leaves out.
    package func programme(_ whole: Broadcast, _ times: Times = Times()) -> Broadcast {
        guard self == .pause else { return whole }
        return times.all.reversed().reduce(whole) { programme, time in
            let first = programme.framesAired(at: time)
            return programme.leavingOut(first..<programme.framesAired(at: time + .milliseconds(500)))
        }
    }

    /// The servers by their hosts, the first of which is asked first. The programme is ``programme(_:_:)``.
    package func servers(
        _ programme: Broadcast, _ packaging: HLSRendition.Packaging = .packed, _ times: Times = Times()
    ) -> [(host: String, script: HLSScript)] {
        let window = self == .outage ? 60 : 12
        let rendition = HLSRendition(programme, packaging, runs: runs(times), window: window)
        var first = HLSScript(rendition, faults: faults(times))
        if self == .encrypted { first = HLSScript(with(rendition) { $0.key = .init(Self.key) }) }
        guard [.deadToken, .lottery, .renumbered].contains(self) else { return [("a.test", first)] }
        first.gate = .init { $0.deaths = times.all }
        guard self != .deadToken else { return [("a.test", first)] }
        first.door = { count in
            var random = SplitMix64(seed: UInt64(count))
            return count == 0 || random.next() & 1 == 0 ? "/live.m3u8" : "http://b.test/live.m3u8"
        }
        var mirror = rendition
        if self == .renumbered {
            let run = HLSRun { ($0.firstNumber, $0.firstTime, $0.name) = (90_210, 5_000_000, "m") }
            mirror = HLSRendition(programme, packaging, runs: [run], window: window)
        } else {
            mirror.delay = .seconds(1)
        }
        return [("a.test", first), ("b.test", HLSScript(mirror).with { $0.gate = first.gate })]
    }

    private static let key: [UInt8] = (0..<16).map { 0xA0 + $0 }

    private func with(_ rendition: HLSRendition, _ change: (inout HLSRendition) -> Void) -> HLSRendition {
        var copy = rendition
        change(&copy)
        return copy
    }

    private func runs(_ times: Times) -> [HLSRun] {
        let start = HLSRun { $0.firstNumber = 5000 }
        func restarted(_ change: @escaping (Int, inout HLSRun) -> Void) -> [HLSRun] {
            [start]
                + times.all.enumerated().map { number, time in
                    HLSRun { run in
                        (run.takesOver, run.name) = (time, "r\(number)-")
                        change(number, &run)
                    }
                }
        }
        switch self {
        case .reset: return restarted { _, _ in }
        case .undatedReset:
            return restarted { _, run in run.dates = .init(.none) }.map { run in
                var run = run
                run.dates = .init(.none)
                return run
            }
        case .lowerNumbers:
            return restarted { number, run in (run.cutsFrom, run.firstNumber) = (.zero, 4000 - 150 * number) }
        default: return [start]
        }
    }

    private func faults(_ times: Times) -> [HLSFault] {
        switch self {
        case .missing: [.segments(times.hits, first: 2, .status(404))]
        case .busy: [.segments(times.hits, first: 3, .status(503))]
        case .truncated: [.segments(times.hits, first: 1, .cut(part: 0.6, isStated: true))]
        case .truncatedSilently: [.segments(times.hits, first: 1, .cut(part: 0.6, isStated: false))]
        case .webPage:
            [.segments(times.hits, first: 1, .body(Array("<!DOCTYPE html><html></html>".utf8), type: "text/html"))]
        case .empty: [.segments(times.hits, first: 1, .body([], type: "audio/mpeg"))]
        case .slow: [.segments(times.hits, .slow(.seconds(3)))]
        case .staleEdge: [lists(times.spans(of: .seconds(2)), .stale(.seconds(3)))]
        case .standing: times.all.map { .list(during: $0..<($0 + .seconds(3)), .frozen(at: $0)) }
        case .outage: [.everything(during: times.begin..<(times.begin + .seconds(20)), .status(503))]
        default: []
        }
    }

    private func lists(_ span: @escaping @Sendable (Duration) -> Bool, _ effect: HLSFault.Effect) -> HLSFault {
        HLSFault(effect) { $0.isList && span($0.time) }
    }
}
