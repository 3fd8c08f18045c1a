// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

extension Sidecar {
    /// Audio that was put into a gap after the file was complete.
    package struct Healed: Hashable, Sendable {
        /// When the first of the frames was on air.
        package var at: CivilTime
        package var milliseconds: Int64
        /// The first of the frames.
        package var position: Int64
        package var frames: Int64
        /// Where the audio came from, for people: "a second connection".
        package var by: String
        /// How many milliseconds after the beginning of the gap the audio was put in; nil if unknown.
        package var after: Int64?

        package init(at: CivilTime, milliseconds: Int64, position: Int64, frames: Int64, by: String, after: Int64?) {
            (self.at, self.milliseconds, self.position, self.frames) = (at, milliseconds, position, frames)
            (self.by, self.after) = (by, after)
        }

        fileprivate var range: Range<Int64> { position..<position.addingSaturated(frames) }
    }

    /// What putting audio into a file changes in its sidecar.
    ///
    /// A file and its sidecar cannot be replaced at once. So the old sidecar says first what is about to be done. Where
    /// the process dies meanwhile, the checksum of the audio shows whether it was done (``settled(for:)``).
    package struct Healing: Hashable, Sendable {
        package var healed: Healed
        /// Whether the audio continues the frame before the gap, and whether the frame after the gap continues the
        /// audio. Where one does not hold, the gap remains on that side.
        package var continuesBefore: Bool
        package var isContinuedAfter: Bool
        /// What of the gap remains, in milliseconds; nil if unknown.
        package var rest: Int64?
        /// The totals of the healed file.
        package var bytes: Int64
        package var samples: Int64
        /// The checksum of the healed file's frames.
        package var checksum: UInt64

        package init(
            _ healed: Healed, continuesBefore: Bool, isContinuedAfter: Bool, rest: Int64?, bytes: Int64,
            samples: Int64, checksum: UInt64
        ) {
            (self.healed, self.continuesBefore, self.isContinuedAfter) = (healed, continuesBefore, isContinuedAfter)
            (self.rest, self.bytes, self.samples, self.checksum) = (rest, bytes, samples, checksum)
        }
    }

    /// This sidecar, for a file whose frames have this checksum: with the change that was begun, if it was made.
    package func settled(for checksum: UInt64) -> Sidecar {
        var sidecar = self
        sidecar.healing = nil
        guard let healing, healing.checksum == checksum else { return sidecar }
        sidecar.apply(healing)
        return sidecar
    }

    private mutating func apply(_ healing: Healing) {
        let new = healing.healed
        (frames, bytes, samples) = (frames.addingSaturated(new.frames), healing.bytes, healing.samples)
        (checksum, revision) = (healing.checksum, revision.addingSaturated(1))
        if new.position == 0, let at {
            // Audio that only continues the file before this one begins with the gap.
            let begin = healing.isContinuedAfter ? nil : gaps.first { $0.position == 0 }?.at
            self.at = begin ?? CivilTime(at.instant - .milliseconds(new.milliseconds), utcOffset: at.utcOffset)
        }
        gaps = gaps(after: healing)
        // What describes the frame behind the gap moves with it.
        func move(_ position: inout Int64) { if position >= new.position { position += new.frames } }
        for index in splices.indices { move(&splices[index].position) }
        for index in titles.indices { move(&titles[index].position) }
        for index in healed.indices { move(&healed[index].position) }
        if var step = clockStep {
            move(&step.position)
            clockStep = step
        }
        stretches.open(for: new)
        healed.append(new)
        healed.sort { $0.position < $1.position }
    }

    /// The gaps of the healed file. Of several gaps at one place, the first stands for what remains.
    private func gaps(after healing: Healing) -> [Gap] {
        let new = healing.healed
        let isClosed = healing.continuesBefore && healing.isContinuedAfter
        var isLeft = !isClosed
        return gaps.flatMap { gap -> [Gap] in
            var (gap, before) = (gap, [Gap]())
            if gap.position == new.position {
                guard isLeft else { return [] }
                isLeft = false
                gap.milliseconds = healing.rest
                (gap.overlap, gap.repeats) = (nil, nil)
                if !healing.continuesBefore { before = [gap] }
                guard healing.continuesBefore || !healing.isContinuedAfter else { return before }
                gap.at = CivilTime(gap.at.instant + .milliseconds(new.milliseconds), utcOffset: gap.at.utcOffset)
            }
            if gap.position >= new.position { gap.position += new.frames }
            return before + [gap]
        }
    }
}

extension Sidecar.Stretches {
    /// Opens the stretches for frames that were put in: those behind them move. One around them becomes two, but an
    /// advert gets them.
    package mutating func open(for new: Sidecar.Healed) {
        for kind in Stretch.Kind.allCases {
            self[kind] = self[kind].flatMap { kind == .advert ? [$0.grown(by: new)] : $0.opened(for: new.range) }
        }
    }
}

extension Sidecar.Stretch {
    /// Moved if it is behind new frames, in two parts if it is around them.
    fileprivate func opened(for new: Range<Int64>) -> [Self] {
        let before = clamped(to: 0..<new.lowerBound)
        guard var after = clamped(to: new.lowerBound..<Int64.max) else { return [before].compactMap(\.self) }
        after.position += Int64(new.count)
        return [before, after].compactMap(\.self)
    }

    /// Moved if it is behind new frames, with them if it is around them.
    fileprivate func grown(by new: Sidecar.Healed) -> Self {
        var stretch = self
        if position >= new.position {
            stretch.position += new.frames
        } else if range.contains(new.position) {
            stretch.frames += new.frames
            stretch.milliseconds += new.milliseconds
        }
        return stretch
    }
}

// MARK: - JSON

extension Sidecar.Healed: JSONConvertible {
    /// `{at, seconds, position, frames, by, after}`, also in the result of a command.
    package var json: JSONValue { .object(object) }

    fileprivate var object: JSONObject {
        [
            "at": at, "seconds": JSONValue(milliseconds: milliseconds), "position": position, "frames": frames,
            "by": by, "after": after.map(JSONValue.init(milliseconds:)),
        ]
    }

    init?(json: JSONValue) {
        guard let stretch = Sidecar.Stretch(json: json) else { return nil }
        self.init(
            at: stretch.at, milliseconds: stretch.milliseconds, position: stretch.position, frames: stretch.frames,
            by: json["by"]?.stringValue ?? "", after: json["after"]?.milliseconds)
    }
}

extension Sidecar.Healing: JSONConvertible {
    package var json: JSONValue {
        var object = healed.object
        object.append([
            "continues_before": continuesBefore, "is_continued_after": isContinuedAfter,
            "rest": rest.map(JSONValue.init(milliseconds:)), "bytes": bytes, "samples": samples,
            "xxh64": checksum.sixteenDigits,
        ])
        return .object(object)
    }

    init?(json: JSONValue) {
        guard let healed = Sidecar.Healed(json: json), let bytes = json["bytes"]?.count,
            let samples = json["samples"]?.count,
            let checksum = json["xxh64"]?.stringValue.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.init(
            healed, continuesBefore: json["continues_before"]?.boolValue ?? false,
            isContinuedAfter: json["is_continued_after"]?.boolValue ?? false, rest: json["rest"]?.milliseconds,
            bytes: bytes, samples: samples, checksum: checksum)
    }
}
