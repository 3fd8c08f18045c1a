// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// A simulated station for tests of the splicer. It has numbered frames, the time at which each frame was at the edge,
/// and what a connection delivers at which time. No code of the splicer is used to compute expected results.
struct SplicedStation {
    /// Frame `n` is on air from `n` to `n + 1` frame times after the start.
    var marks: [FrameMark]
    let frameTime: Duration
    static let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    init(_ fingerprints: [UInt64], frameTime: Duration) {
        self.frameTime = frameTime
        marks = fingerprints.map {
            FrameMark(fingerprint: $0, nanoseconds: UInt32(clamping: frameTime.components.attoseconds / 1_000_000_000))
        }
    }

    /// The number of frames that have aired completely by an instant.
    func aired(at instant: MonotonicInstant) -> Int {
        max(0, min(marks.count, Int((instant - Self.start) / frameTime)))
    }

    func edge(ofFrame frame: Int) -> MonotonicInstant { Self.start + frameTime * frame }

    /// The memory and the tail of a programme whose `frames` were delivered when they were at the edge.
    func heard(_ frames: Range<Int>) -> (memory: FrameMemory, tail: MonotonicInstant) {
        var memory = FrameMemory()
        for frame in frames { memory.append(marks[frame]) }
        return (memory, edge(ofFrame: frames.upperBound))
    }

    /// The playing time of `frames` frames.
    func length(_ frames: Int) -> Duration { frameTime * frames }

    /// How a connection continues the programme.
    struct Outcome: Equatable {
        /// The first frame that is kept; nil if none is.
        var first: Int?
        var verdict: Splicer.Verdict
        var at: MonotonicInstant
    }

    /// Opens a connection at `connect`, and waits up to `limit` for a verdict. The connection's edge is `behind` late,
    /// and the connection begins with a burst of `burst` frames.
    func connect(
        after heard: (memory: FrameMemory, tail: MonotonicInstant), at connect: MonotonicInstant, burst: Int,
        behind: Duration = .zero, block: Int = 3, mayGap: Bool = true,
        limit: Duration = .seconds(60)
    ) -> Outcome {
        var splicer = Splicer(after: .init(heard.memory, tail: heard.tail))
        var clock = EdgeClock()
        var now = connect
        var sent = max(0, aired(at: connect - behind) - burst)
        let begin = sent
        while now - connect < limit {
            let edge = aired(at: now - behind)
            while sent + block <= edge {
                for frame in sent..<sent + block { splicer.add(marks[frame], bytes: 418) }
                sent += block
                clock.arrived(upTo: length(sent - begin), now: now)
                let verdict = splicer.arrived(clock, at: now, mayGap: mayGap)
                switch verdict {
                case .hold, .heard: break
                case .join(let drop, _): return Outcome(first: begin + drop, verdict: verdict, at: now)
                case .gap(let drop, _): return Outcome(first: begin + drop, verdict: verdict, at: now)
                }
            }
            now = now + .milliseconds(10)
        }
        return Outcome(first: nil, verdict: .hold, at: now)
    }
}

extension Duration {
    static func * (duration: Duration, count: Int) -> Duration {
        .nanoseconds(
            Int64(count)
                * (duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000))
    }
}
