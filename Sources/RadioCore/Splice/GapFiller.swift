// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Finds audio that is missing in a gap among frames that arrived but were not delivered. A pure value.
///
/// Frames belong into a gap where they continue the frame before it, or where the frame after it continues them: eight
/// frames at that side are equal and distinct. What fits at one side only must not be longer than the gap.
package struct GapFiller: Sendable {
    /// A gap that is not filled yet.
    private struct OpenGap: Sendable {
        /// The count of the first frame after the gap.
        var before: Int64
        var length: Duration?
        var format: StreamFormat
        /// The frames on both sides. Those after the gap are known once they have been delivered.
        var tail: [FrameMark]
        var head: [FrameMark] = []
        let told: MonotonicInstant
    }

    /// Consecutive frames of one connection.
    private struct Spare: Sendable {
        let connection: Int
        let format: StreamFormat
        var parts: StreamParts
        var newest: MonotonicInstant
    }

    private var gaps: [OpenGap] = []
    private var spares: [Spare] = []
    /// Whether something may fit that did not fit before.
    private var isChanged = false

    /// The number of frames that must be equal at a side.
    package static let side = HeardIndex.length
    /// How long frames and gaps are kept.
    private static let patience = Duration.seconds(120)
    private static let mostBytes = 16 << 20
    private static let mostGaps = 64
    /// The length of a gap that frames do not prove is uncertain by this much.
    private static let tolerance = Duration.milliseconds(300)

    package init() {}

    /// Whether there are gaps that frames may fill.
    package var hasGaps: Bool { !gaps.isEmpty }

    /// Whether a gap was told within the last `time`, and is not filled.
    package func hasGap(since time: Duration, _ now: MonotonicInstant) -> Bool {
        gaps.last.map { now - $0.told < time } ?? false
    }

    /// Takes a gap before the frame at `before`. `tail` are the last frames before the gap.
    package mutating func note(
        gapBefore before: Int64, length: Duration?, after tail: [FrameMark], _ format: StreamFormat,
        _ now: MonotonicInstant
    ) {
        gaps.removeAll { $0.before == before }
        if gaps.count == Self.mostGaps { gaps.removeFirst() }
        gaps.append(
            OpenGap(before: before, length: length, format: format, tail: tail.suffix(Self.side), told: now))
        isChanged = true
    }

    /// Takes frames of a connection that are not delivered. They follow those that this connection brought before.
    package mutating func add(
        _ parts: StreamParts, of connection: Int, _ format: StreamFormat, _ now: MonotonicInstant
    ) {
        guard parts.frames > 0 else { return }
        isChanged = true
        if let last = spares.indices.last, spares[last].connection == connection, spares[last].format == format {
            spares[last].parts.append(parts)
            spares[last].newest = now
        } else {
            spares.append(Spare(connection: connection, format: format, parts: parts, newest: now))
        }
        while spares.reduce(0, { $0 + $1.parts.size }) > Self.mostBytes { spares.removeFirst() }
    }

    /// Forgets everything: what follows is another programme.
    package mutating func forget() { self = GapFiller() }

    /// What fits, in the order in which it is to be put in. `memory` has the frames before the one at `end`.
    package mutating func search(_ memory: FrameMemory, upTo end: Int64, _ now: MonotonicInstant) -> [FoundAudio] {
        guard !gaps.isEmpty, !spares.isEmpty else {
            if gaps.isEmpty, !spares.isEmpty { dropOld(now) }
            return []
        }
        for index in gaps.indices where gaps[index].head.isEmpty && end - gaps[index].before >= Int64(Self.side) {
            let back = Int(end - gaps[index].before)
            gaps[index].head = memory.marks(from: back, count: Self.side)
            isChanged = true
        }
        guard isChanged else { return [] }
        isChanged = false
        dropOld(now)
        var found: [FoundAudio] = []
        for spare in spares {
            let marks = spare.parts.marks
            guard marks.count == spare.parts.frames else { continue }
            for index in gaps.indices where gaps[index].format == spare.format {
                if let audio = fill(index, from: spare, marks) { found.append(audio) }
            }
            gaps.removeAll { $0.length == .zero }
        }
        return found
    }

    private mutating func dropOld(_ now: MonotonicInstant) {
        spares.removeAll { now - $0.newest > Self.patience }
        gaps.removeAll { now - $0.told > Self.patience }
    }

    /// Fills a gap from a connection's frames as far as they fit.
    private mutating func fill(_ index: Int, from spare: Spare, _ marks: [FrameMark]) -> FoundAudio? {
        let gap = gaps[index]
        guard !gap.head.isEmpty else { return nil }
        let start = Self.place(of: gap.tail, in: marks, isLast: true).map { $0 + Self.side }
        let end = Self.place(of: gap.head, in: marks, isLast: false)
        var range: Range<Int>
        switch (start, end) {
        case (let start?, let end?) where start <= end: range = start..<end
        case (let start?, nil): range = start..<max(start, marks.count - Self.overlap(marks, gap.head))
        case (nil, let end?): range = min(end, Self.overlap(gap.tail, marks))..<end
        default: return nil
        }
        var isWhole = start != nil && end != nil
        let length = marks[range].reduce(Duration.zero) { $0 + $1.duration }
        if !isWhole {
            guard !range.isEmpty, let room = gap.length, length <= room + Self.tolerance else { return nil }
            // Such a rest is no frame. Behind the audio, the connection may still bring more.
            isWhole = start == nil && room - length <= marks[range.lowerBound].duration
        }
        guard let (batch, bytes) = spare.parts.frames(in: range, of: spare.format) else { return nil }
        let rest = isWhole ? Duration.zero : gap.length.map { max(.zero, $0 - length) }
        if isWhole {
            gaps[index].length = .zero
        } else {
            gaps[index].length = rest.map { max($0, .nanoseconds(1)) }
            if start != nil { gaps[index].tail = (gap.tail + marks[range]).suffix(Self.side) }
            if end != nil { gaps[index].head = Array((marks[range] + gap.head).prefix(Self.side)) }
        }
        return FoundAudio(
            before: gap.before, continuesBefore: isWhole || start != nil, isContinuedAfter: isWhole || end != nil,
            format: gap.format, batch: batch, bytes: bytes, length: length, rest: rest, source: "a second connection")
    }

    /// The number of frames with which the one run ends and the other begins, of those too few to determine a place: they
    /// were delivered.
    private static func overlap(_ one: [FrameMark], _ other: [FrameMark]) -> Int {
        (1..<side).last { one.count >= $0 && other.prefix($0).elementsEqual(one.suffix($0)) } ?? 0
    }

    /// Where these frames are among those of a connection; nil if they are nowhere, or not distinct enough.
    private static func place(of side: [FrameMark], in marks: [FrameMark], isLast: Bool) -> Int? {
        let numbers = side.map(\.fingerprint)
        guard side.count == Self.side, marks.count >= side.count, HeardIndex.areTelling(numbers) else { return nil }
        let places = 0...(marks.count - side.count)
        let isHere = { (place: Int) in (0..<side.count).allSatisfy { marks[place + $0].fingerprint == numbers[$0] } }
        return isLast ? places.last(where: isHere) : places.first(where: isHere)
    }
}

extension StreamParts {
    /// The frames in a range, if they follow each other; nil if something between them or beside them says
    /// otherwise.
    func frames(in range: Range<Int>, of format: StreamFormat) -> (FrameBatch, [UInt8])? {
        var (batch, bytes, isBroken, next) = (FrameBatch(), [UInt8](), false, 0)
        let sides = range.lowerBound...range.upperBound
        forEach { element in
            switch element {
            case .part(.title): break
            // Each part of what a joint held begins with its format.
            case .part(.format(let own)) where own == format: break
            case .part: if next > 0, next < self.frames, sides.contains(next) { isBroken = true }
            case .frames(let frames, let data):
                let wanted = range.clamped(to: next..<next + frames.count)
                if !wanted.isEmpty {
                    let own = wanted.lowerBound - next..<wanted.upperBound - next
                    batch.append(frames[own])
                    bytes += data[frames.range(of: own)]
                }
                next += frames.count
            }
        }
        return isBroken ? nil : (batch, bytes)
    }
}
