// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// Compares what was heard of a programme with what was sent on which connection, frame by frame. Audio that was found
/// later counts as if it had been heard at its place.
///
/// All frames of the programme must differ.
package struct RecordingJudge {
    /// A place in the recording at which frames of the programme do not follow each other, or are said not to.
    private struct Joint {
        /// The indices of the last frame of the programme before the joint, and of the first one after it.
        let indices: (Int, Int)
        /// The places of these frames.
        let places: (Int, Int)
        var told: [AuditedRecording.ToldGap]

        /// Whether nothing is missing or repeated.
        var isWhole: Bool { places.1 == places.0 + 1 }
        /// The places between them.
        var missing: Range<Int> { places.0 + 1..<max(places.0 + 1, places.1) }
    }

    /// When the frames of the programme are on air.
    package struct Timing: Sendable {
        /// How long the programme has been on air at the start.
        let onAir: Duration
        /// How far each host is behind.
        let lags: [String: Duration]
        /// The date of the start; nil if dates are not judged.
        let start: WallInstant?

        package init(onAir: Duration, lags: [String: Duration], start: WallInstant? = nil) {
            (self.onAir, self.lags, self.start) = (onAir, lags, start)
        }
    }

    private let broadcast: Broadcast
    private let recording: AuditedRecording
    private let healed: HealedRecording
    private let sent: [SentFrames]
    private let timing: Timing?
    /// Which places are in the recording.
    private var isKept: [Bool]
    private var joints: [Joint] = []

    package private(set) var findings: [AuditFinding] = []
    /// The number of true gaps whose lengths are said to be unknown.
    package private(set) var unknownLengths = 0
    /// The number of gaps whose lengths are right.
    package private(set) var rightLengths = 0

    /// With `timing`, a length may be wrong by as much as arrivals cannot tell.
    package init(
        _ recording: AuditedRecording, of broadcast: Broadcast, sent: [SentFrames], timing: Timing? = nil
    ) {
        (self.broadcast, self.recording, self.sent, self.timing) = (broadcast, recording, sent, timing)
        healed = HealedRecording(recording)
        isKept = Array(repeating: false, count: broadcast.frames.count)
        for place in healed.frames.lazy.compactMap(\.place) { isKept[place] = true }
        findJoints()
        moveMisplacedGaps()
        // Of a gap that is split, nothing may be missing on one of the sides: where the rest is, is not claimed.
        let split = Set(joints.filter { !$0.missing.isEmpty }.flatMap { $0.told.compactMap(\.split) })
        joints.removeAll { $0.isWhole && $0.told.allSatisfy { $0.split.map(split.contains) ?? false } }
        for index in joints.indices { judge(joints[index], slack(at: index)) }
        judgeStretches()
        judgeForeign()
        judgeSent()
        findings.sort { ($0.time, $0.position) < ($1.time, $1.position) }
    }

    // MARK: Joints

    private mutating func findJoints() {
        var gaps = healed.gaps.sorted { $0.position < $1.position }[...]
        var last: (index: Int, place: Int)?
        for (index, frame) in healed.frames.enumerated() {
            // What is said to be foreign is judged by itself.
            guard let place = frame.place, !frame.isCalledForeign else { continue }
            var told: [AuditedRecording.ToldGap] = []
            while let gap = gaps.first, gap.position <= index { told.append(gaps.removeFirst()) }
            if let last {
                let joint = Joint(indices: (last.index, index), places: (last.place, place), told: told)
                if !joint.isWhole || !told.isEmpty { joints.append(joint) }
            } else {
                for gap in told { add(.falseGap, at: index, place, 0, gap.length ?? .zero, gap.cause) }
            }
            last = (index, place)
        }
        // Gaps after the last frame are right: what they miss has not been sent yet.
    }

    /// Moves gaps that are one frame off to the place where frames are missing.
    private mutating func moveMisplacedGaps() {
        for index in joints.indices where !joints[index].missing.isEmpty && joints[index].told.isEmpty {
            let place = joints[index].indices.1
            let near = [index - 1, index + 1].first { near in
                joints.indices.contains(near) && joints[near].isWhole && abs(joints[near].indices.1 - place) == 1
            }
            guard let near else { continue }
            (joints[index].told, joints[near].told) = (joints[near].told, [])
            add(.misplacedGap, at: place, joints[index].missing.lowerBound, 1, .zero, "")
        }
        joints.removeAll { $0.isWhole && $0.told.isEmpty }
    }

    /// The least delay of the frames before a joint and of those after it, up to the joints beside it. Arrivals alone do
    /// not show that delay. It makes a gap seem shorter if the frames before it were late, and longer if those after it
    /// were.
    private func slack(at index: Int) -> (before: Duration, after: Duration) {
        let (before, after) = joints[index].places
        let first = index > 0 ? joints[index - 1].places.1 : 0
        let last = index + 1 < joints.count ? joints[index + 1].places.0 : broadcast.frames.count - 1
        return (delay(of: min(first, before)..<before + 1), delay(of: after..<max(after, last) + 1))
    }

    /// How late some frames were at least, on all connections; zero if unknown.
    private func delay(of places: Range<Int>) -> Duration {
        guard let timing else { return .zero }
        let delays = sent.lazy.flatMap { connection in
            connection.runs.lazy.compactMap { run -> Duration? in
                guard let last = run.places.clamped(to: places).last else { return nil }
                let end = broadcast.frames[last].start + broadcast.frames[last].length - timing.onAir
                return run.at - end - timing.lags[connection.host, default: .zero]
            }
        }
        return max(.zero, delays.min() ?? .zero)
    }

    private mutating func judge(_ joint: Joint, _ slack: (before: Duration, after: Duration)) {
        let (before, after) = joint.places
        let (index, count) = (joint.indices.1, healed.frames[joint.indices.1].count)
        let causes = joint.told.map { "\($0.length.map { "\($0.roundedSeconds) s" } ?? "unknown"), \($0.cause)" }
            .joined(separator: "; ")
        let told = joint.told.reduce(Duration.zero as Duration?) { sum, gap in
            sum.flatMap { sum in gap.length.map { sum + $0 } }
        }
        if joint.isWhole {
            if let told, told <= slack.after { return }
            add(.falseGap, at: index, after, 0, told ?? .zero, causes)
        } else if after <= before {
            let repeated = broadcast.length(of: after..<before + 1)
            // A mirror whose lag is unknown may begin before the recording, or in a gap. Nothing shows that until its
            // frames come to equal those before it. So a gap without a length may hide a step back, but no frame comes
            // twice untold.
            let earlier = Set(healed.frames[..<index].lazy.compactMap(\.place))
            let again = healed.frames[index...].prefix { $0.place.map { $0 <= before } ?? true }
                .filter { $0.place.map(earlier.contains) ?? false }
            let isDelivered = [joint.indices.0, joint.indices.1].map { healed.frames[$0] }
                .allSatisfy { recording.places.indices.contains($0.count) && recording.places[$0.count] == $0.place }
            let isTold =
                joint.told.contains(where: \.tellsRepeat) || isToldAsRepeated(count)
                || joint.told.contains { $0.length == nil } && isDelivered
                    && again.allSatisfy { isToldAsRepeated($0.count) }
            add(isTold ? .toldRepeat : .untoldRepeat, at: index, after, before + 1 - after, repeated, causes)
            if let told, told > tolerance {
                add(.wrongLength, at: index, after, 0, told, "nothing is missing; \(causes)")
            }
        } else {
            judgeLoss(at: joint, told: told, causes, slack)
        }
    }

    private func isToldAsRepeated(_ count: Int) -> Bool {
        recording.stretches.contains { $0.kind == .repeated && $0.frames.contains(Int64(count)) }
    }

    private mutating func judgeLoss(
        at joint: Joint, told: Duration?, _ causes: String, _ slack: (before: Duration, after: Duration)
    ) {
        let missing = joint.missing
        let never = missing.filter { !isKept[$0] }
        // After a repeat or out of order, the programme goes on where it had been before.
        if never.isEmpty { return }
        let lost = never.reduce(Duration.zero) { $0 + broadcast.frames[$1].length }
        let index = joint.indices.1
        if joint.told.isEmpty, lost <= slack.before { return }
        guard !joint.told.isEmpty else { return add(.untoldLoss, at: index, never[0], never.count, lost, "") }
        judgeDate(of: joint.told[0], from: joint.places.0 + 1, at: index)
        guard let told else { return unknownLengths += 1 }
        let isRight = [lost, broadcast.length(of: missing)].contains { length in
            (length - tolerance - slack.before...length + tolerance + slack.after).contains(told)
        }
        if isRight {
            rightLengths += 1
        } else {
            add(.wrongLength, at: index, never[0], never.count, lost, "told \(causes)")
        }
    }

    private mutating func judgeDate(of gap: AuditedRecording.ToldGap, from place: Int, at index: Int) {
        // The second part of a gap that audio splits keeps the date of the first one here, but not in a sidecar.
        guard gap.split == nil, let timing, let start = timing.start, timing.lags.values.allSatisfy({ $0 == .zero })
        else { return }
        let error = (start + (broadcast.frames[place].start - timing.onAir)).duration(to: gap.at)
        guard max(error, .zero - error) > .seconds(1) else { return }
        add(.misdated, at: index, place, 0, error, gap.cause)
    }

    private var tolerance: Duration { max(.milliseconds(50), broadcast.frames.first?.length ?? .zero) }

    // MARK: Other claims

    private mutating func judgeStretches() {
        for stretch in recording.stretches where stretch.kind == .foreign {
            let indices = Int(stretch.frames.lowerBound)..<Int(stretch.frames.upperBound)
            let places = recording.places[indices.clamped(to: recording.places.indices)].compactMap(\.self)
            guard let first = places.first else { continue }
            let length = places.reduce(Duration.zero) { $0 + broadcast.frames[$1].length }
            add(.falseForeign, atCount: indices.lowerBound, first, places.count, length, "of \(indices.count) frames")
        }
    }

    private mutating func judgeForeign() {
        var index = 0
        while index < healed.frames.count {
            let count = healed.frames[index...].prefix { $0.place == nil }.count
            if count > 0 { add(.foreign, at: index, nil, count, .zero, "") }
            index += max(1, count)
        }
    }

    // MARK: What was sent

    /// The frames that were sent whole, lie between the first and the last frame of the recording, and are not in it.
    private mutating func judgeSent() {
        let programme = healed.frames.lazy.filter { !$0.isCalledForeign }.compactMap(\.place)
        guard let first = programme.min(), let last = programme.max() else {
            let count = sent.flatMap(\.runs).reduce(0) { $0 + $1.places.count }
            if count > 0 { add(.sentAndUntold, at: 0, nil, count, .zero, "the recording has no frame") }
            return
        }
        // For each place, the first connection that has sent it.
        var senders: [Int: (connection: Int, run: SentFrames.Run)] = [:]
        for (number, connection) in sent.enumerated() {
            for run in connection.runs {
                for place in run.places.clamped(to: first..<last) where !isKept[place] && senders[place] == nil {
                    senders[place] = (number, run)
                }
            }
        }
        var missed = senders.keys.sorted()[...]
        while let place = missed.first, let sender = senders[place] {
            let joint = joints.first { $0.missing.contains(place) }
            let end = missed.indices.prefix { index in
                let next = place + index - missed.startIndex
                return missed[index] == next && senders[next]?.connection == sender.connection
                    && joint?.missing.contains(next) ?? true
            }.endIndex
            let places = place..<place + end - missed.startIndex
            missed = missed[end...]
            let newest = senders[places.upperBound - 1]?.run ?? sender.run
            let at = joint?.indices.1 ?? 0
            add(
                joint?.told.isEmpty == false ? .sentButNotKept : .sentAndUntold, at: at, place, places.count,
                broadcast.length(of: places),
                "sent on connection \(sender.connection) at \(sender.run.at.roundedSeconds) to"
                    + " \(newest.at.roundedSeconds) s, read at \(newest.read.roundedSeconds) s")
        }
    }

    private mutating func add(
        _ kind: AuditFinding.Kind, at index: Int, _ place: Int?, _ frames: Int, _ length: Duration, _ detail: String
    ) {
        let count = healed.frames.indices.contains(index) ? healed.frames[index].count : 0
        add(kind, atCount: count, place, frames, length, detail)
    }

    private mutating func add(
        _ kind: AuditFinding.Kind, atCount count: Int, _ place: Int?, _ frames: Int, _ length: Duration,
        _ detail: String
    ) {
        findings.append(
            AuditFinding(
                kind: kind, position: count, place: place, time: recording.time(of: count), frames: frames,
                length: length, detail: detail))
    }
}

extension Broadcast {
    /// The playing time of some frames.
    fileprivate func length(of places: Range<Int>) -> Duration {
        guard let last = places.last else { return .zero }
        return frames[last].start + frames[last].length - frames[places.lowerBound].start
    }
}
