// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Frames of a connection that are not delivered.
package struct SpareFrames: Sendable {
    /// The number of the connection, and of the silences on it before: otherwise, they follow those that it left
    /// before.
    package var connection = 0
    package var run: Int
    package var format: StreamFormat
    package var parts: StreamParts
    /// When the first of them was at the edge of their server; nil if unknown.
    package var start: MonotonicInstant?
    /// Their server.
    package var edge = ""
    /// Which of the frames arrived while the station's frame with this count was awaited.
    package var awaited: [(frame: Int64, frames: Range<Int>)]
    /// Whether the frames come from another source than the station, which may have more audio between two frames than
    /// the station has.
    package var isFromElsewhere = false
    /// See ``FoundAudio/source``.
    package var source: String

    package init(
        run: Int, _ format: StreamFormat, _ parts: StreamParts, _ start: MonotonicInstant? = nil,
        awaited: [(frame: Int64, frames: Range<Int>)] = [], source: String = "a second connection"
    ) {
        self.source = source
        (self.run, self.format, self.parts, self.start, self.awaited) = (run, format, parts, start, awaited)
    }
}

/// Finds audio that is missing in a gap among frames that arrived but were not delivered. A pure value.
///
/// Frames belong into a gap where they continue the frame before it, or where the frame after it continues them: eight
/// frames at that side are equal and distinct, or fewer with which they begin or end. What fits at one side only must
/// not be longer than the gap. Frames that equal none at all, and arrived during the silence of the gap, lie within it.
package struct GapFiller: Sendable {
    /// A gap that is not filled yet.
    private struct OpenGap: Sendable {
        /// The count of the first frame after the gap.
        var before: Int64
        var length: Duration?
        /// The most that may be missing.
        var most: Duration
        var format: StreamFormat
        /// The frames on both sides. Those after the gap are known once they have been delivered.
        var tail: [FrameMark]
        var head: [FrameMark] = []
        /// How much audio was found for it.
        var found = Duration.zero
        let told: MonotonicInstant
        /// When audio was last found for the gap, or else when the gap was told.
        var touched: MonotonicInstant
        /// When the missing audio began to be on air.
        var began: MonotonicInstant
        /// Whether it has waited for frames that prove their place in it.
        var isRipe = false
        /// The playing time of a frame.
        var frame: Duration { tail.last?.duration ?? .zero }
        /// Whether no more than a frame is left of it. Lengths are too long rather than too short.
        var isFilled: Bool { found > .zero && length.map { $0 <= frame } ?? false }
    }

    /// Consecutive frames of one connection.
    private struct Spare: Sendable {
        var frames: SpareFrames
        var marks: [FrameMark] = []
        var index = HeardIndex()
        var newest: MonotonicInstant
        /// When the first of them was at the station's edge; nil while the lag of their server is unknown. It is exact
        /// if the lag was known when they arrived: later, the map may have moved.
        var aired: MonotonicInstant?
        var isExact = true

        init(_ frames: SpareFrames, _ now: MonotonicInstant) {
            self.frames = frames
            (self.frames.parts, self.frames.awaited, newest) = (StreamParts(), [], now)
            append(frames, now)
        }

        mutating func append(_ more: SpareFrames, _ now: MonotonicInstant) {
            frames.awaited += more.awaited.map {
                ($0.frame, marks.count + $0.frames.lowerBound..<marks.count + $0.frames.upperBound)
            }
            frames.parts.append(more.parts)
            for mark in more.parts.marks { index.append(mark) }
            marks += more.parts.marks
            newest = now
        }

        /// A run that begins with the last frames of this one, so that it fits to what these were put into.
        func continued(by more: SpareFrames, _ now: MonotonicInstant) -> Spare {
            let last = max(0, marks.count - 2 * GapFiller.side)..<marks.count
            guard let (batch, bytes, _) = frames.parts.frames(in: last, of: frames.format) else {
                return Spare(more, now)
            }
            var first = more
            (first.parts, first.start, first.awaited) = (StreamParts(), nil, [])
            bytes.withUnsafeBytes { first.parts.append(batch, $0) }
            var spare = Spare(first, now)
            spare.append(more, now)
            return spare
        }
    }

    private var gaps: [OpenGap] = []
    private var spares: [Spare] = []
    /// The frames that were put into gaps.
    private var put: Set<UInt64> = []
    /// Whether something may fit that did not fit before.
    private var isChanged = false
    /// When somebody last looked for the audio of the gaps.
    private var searched: MonotonicInstant?

    /// The number of frames that must be equal at a side.
    package static let side = HeardIndex.length
    /// How long frames are kept, and gaps for which nothing is found; and how long such gaps are kept if somebody has
    /// looked for their audio lately.
    private static let patience = Duration.seconds(120)
    private static let longestSearch = Duration.seconds(600)
    /// Frames would have proved to be elsewhere within this time.
    private static let ripening = Duration.seconds(4)
    private static let mostBytes = 16 << 20
    /// A longer run is kept in parts, so that the oldest of them can be forgotten.
    private static let mostBytesOfRun = 4 << 20
    private static let mostGaps = 64
    /// The length of a gap that frames do not prove is uncertain by this much.
    private static let tolerance = Duration.milliseconds(300)

    package init() {}

    /// Whether there are gaps that frames may fill.
    package var hasGaps: Bool { !gaps.isEmpty }

    /// The size of the frames that are kept.
    var bytes: Int { spares.reduce(0) { $0 + $1.frames.parts.size } }

    /// Whether a connection that is behind by `time` may still bring what is missing in the newest gap.
    package func hopes(behind time: Duration, _ now: MonotonicInstant) -> Bool {
        guard let gap = gaps.last else { return false }
        let longest = time > .zero ? time + (gap.length ?? gap.most) : .zero
        return now - gap.told < longest + Self.overlap
    }

    /// A connection shows in this time that its frames go on behind a gap.
    private static let overlap = Duration.seconds(3)

    /// Takes a gap that is `back` frames before the end of `memory`, before the frame at `before`. `most` is the time
    /// since the frame before it: if its length is unknown, no more can be missing.
    package mutating func note(
        gapBefore before: Int64, length: Duration?, most: Duration = .zero, in memory: FrameMemory,
        back: Int = 0, _ format: StreamFormat, from began: MonotonicInstant, _ now: MonotonicInstant
    ) {
        if gaps.contains(where: { $0.before == before }) {
            // It is told again, because more is known of it.
            if let length { _ = rest(ofGapBefore: before, length: length) }
            return
        }
        if gaps.count == Self.mostGaps { gaps.removeFirst() }
        gaps.append(
            OpenGap(
                before: before, length: length, most: length ?? most, format: format,
                tail: memory.marks(from: back + Self.side, count: Self.side), told: now,
                touched: now, began: began))
        isChanged = true
    }

    /// How much is left of a gap whose whole length turns out to be this; nil if nothing is known of the gap. If less
    /// than half a frame is left, nothing is, and the gap is over.
    package mutating func rest(ofGapBefore frame: Int64, length: Duration) -> Duration? {
        guard let index = gaps.firstIndex(where: { $0.before == frame }) else { return nil }
        let rest = length - gaps[index].found
        guard rest >= gaps[index].frame / 2 else {
            gaps.remove(at: index)
            return .zero
        }
        (gaps[index].length, gaps[index].most) = (rest, rest)
        return rest
    }

    /// Somebody looks for the audio of the gaps, and may bring it later.
    package mutating func noteSearch(_ now: MonotonicInstant) { searched = now }

    /// Takes frames of a connection that are not delivered.
    package mutating func add(_ frames: SpareFrames, _ now: MonotonicInstant) {
        // Frames without a fingerprint cannot be compared.
        guard frames.parts.frames > 0, frames.parts.marks.count == frames.parts.frames else { return }
        isChanged = true
        let same = spares.lastIndex {
            $0.frames.connection == frames.connection && $0.frames.run == frames.run
                && $0.frames.format == frames.format
        }
        if let same, spares[same].frames.parts.size < Self.mostBytesOfRun {
            spares[same].append(frames, now)
        } else {
            spares.append(same.map { spares[$0].continued(by: frames, now) } ?? Spare(frames, now))
        }
        while bytes > Self.mostBytes { spares.removeFirst() }
    }

    /// Forgets everything: what follows is another programme.
    package mutating func forget() { self = GapFiller() }

    /// What fits, in the order in which it is to be put in. `memory` has the frames before the one at `end`. `isOver`:
    /// whether no more frames come. `lag` is how far a server is behind the station's edge; nil if unknown.
    package mutating func search(
        _ memory: FrameMemory, upTo end: Int64, isOver: Bool = false, _ now: MonotonicInstant,
        lag: (String) -> Duration?
    ) -> [FoundAudio] {
        spares.removeAll { now - $0.newest > Self.patience }
        let isSearching = searched.map { now - $0 <= Self.patience } ?? false
        gaps.removeAll { now - $0.touched > (isSearching ? Self.longestSearch : Self.patience) }
        if spares.isEmpty || gaps.isEmpty { put = [] }
        for index in spares.indices where spares[index].aired == nil {
            let frames = spares[index].frames
            guard let start = frames.start, let lag = lag(frames.edge) else {
                spares[index].isExact = false
                continue
            }
            (spares[index].aired, isChanged) = (start - lag, true)
        }
        for index in gaps.indices {
            let back = end - gaps[index].before
            if gaps[index].head.isEmpty, back >= (isOver ? 1 : Int64(Self.side)) {
                gaps[index].head = memory.marks(from: Int(back), count: Self.side)
                isChanged = true
            }
            if !gaps[index].isRipe, isOver || now - gaps[index].told >= Self.ripening {
                gaps[index].isRipe = true
                isChanged = true
            }
        }
        guard isChanged else { return [] }
        isChanged = false
        let filled = gaps.filter { $0.isRipe && $0.isFilled }
        var found = filled.map { FoundAudio.nothingMissing(before: $0.before, $0.format) }
        gaps.removeAll { $0.isRipe && $0.isFilled }
        for spare in spares {
            for index in gaps.indices where gaps[index].format == spare.frames.format {
                guard let audio = fill(index, from: spare) else { continue }
                found.append(audio)
                gaps[index].touched = now
            }
            gaps.removeAll { $0.length == .zero }
        }
        return found + findWithin(memory, upTo: end, now)
    }

    /// Fills a gap from a connection's frames as far as they fit.
    private mutating func fill(_ index: Int, from spare: Spare) -> FoundAudio? {
        let (gap, marks) = (gaps[index], spare.marks)
        guard !gap.head.isEmpty else { return nil }
        let start = spare.index.places(of: gap.tail).first.map { $0 + 1 } ?? RunMeeting.join(gap.tail, marks)
        let end =
            spare.index.places(of: gap.head).last.map { $0 + 1 - Self.side }
            ?? RunMeeting.join(marks, gap.head).map { marks.count - $0 }
        var range: Range<Int>
        switch (start, end) {
        case (let start?, let end?) where start <= end: range = start..<end
        case (let start?, nil): range = start..<max(start, marks.count - RunMeeting.overlap(marks, gap.head))
        case (nil, let end?): range = min(end, RunMeeting.overlap(gap.tail, marks))..<end
        default: return nil
        }
        let length = marks[range].length
        let rest = gap.length.map { $0 - length }
        var isWhole = start != nil && end != nil
        if isWhole, rest ?? .zero > HoleWatch.leastHole {
            // What a source left out is missing on all connections, whose frames then follow each other.
            return range.isEmpty ? nil : put(range, of: spare, into: index, true, false)
        }
        if spare.frames.isFromElsewhere, rest ?? .zero < .zero - HoleWatch.leastHole { return nil }
        if !isWhole {
            guard !range.isEmpty, length <= gap.most + Self.tolerance else { return nil }
            // Lengths are too long rather than too short. Behind the audio, the connection may soon bring more.
            isWhole = rest.map { $0 <= marks[range.lowerBound].duration } ?? false && (start == nil || gap.isRipe)
        }
        return put(range, of: spare, into: index, isWhole || start != nil, isWhole || end != nil)
    }

    /// Puts frames into a gap. The flags say on which sides nothing is missing then.
    private mutating func put(
        _ range: Range<Int>, of spare: Spare, into index: Int, _ continuesBefore: Bool, _ isContinuedAfter: Bool
    ) -> FoundAudio? {
        let (gap, found, isWhole) = (gaps[index], spare.marks[range], continuesBefore && isContinuedAfter)
        guard found.isEmpty || !found.allSatisfy({ put.contains($0.fingerprint) }),
            let (batch, bytes, titles) = spare.frames.parts.frames(in: range, of: gap.format)
        else { return nil }
        put.formUnion(found.lazy.map(\.fingerprint))
        let isSided = continuesBefore || isContinuedAfter
        let rest = isWhole ? Duration.zero : isSided ? gap.length.map { max(.zero, $0 - found.length) } : nil
        gaps[index].found = gap.found + found.length
        gaps[index].length = isWhole ? .zero : rest.map { max($0, .nanoseconds(1)) }
        gaps[index].most = max(.zero, gap.most - found.length)
        if continuesBefore {
            gaps[index].tail = (gap.tail + found).suffix(Self.side)
            gaps[index].began = gap.began + found.length
        }
        if isContinuedAfter { gaps[index].head = Array((found + gap.head).prefix(Self.side)) }
        var audio = FoundAudio(
            before: gap.before, continuesBefore: continuesBefore, isContinuedAfter: isContinuedAfter,
            format: gap.format, batch: batch, bytes: bytes, length: found.length, rest: rest,
            source: spare.frames.source)
        audio.titles = titles
        return audio
    }

    /// Frames that arrived while a gap lasted, and that equal none of those delivered on either side of it. If they
    /// lie somewhere in the gap, they end the search for it: what else fits cannot be told from them.
    private mutating func findWithin(
        _ memory: FrameMemory, upTo end: Int64, _ now: MonotonicInstant
    ) -> [FoundAudio] {
        var found: [FoundAudio] = []
        for index in gaps.indices where now - gaps[index].told >= Self.ripening {
            var sides: (before: Set<UInt64>, after: Set<UInt64>)?
            for spare in spares where spare.frames.format == gaps[index].format {
                for (frame, range) in spare.frames.awaited where frame == gaps[index].before {
                    guard isWithin(range, of: spare, gaps[index]) else { continue }
                    let both = sides ?? memory.sides(of: Int(end - frame))
                    sides = both
                    if let audio = put(range, of: spare, within: index, both.before, both.after) { found.append(audio) }
                }
            }
        }
        gaps.removeAll { gap in gap.length == .zero || found.contains { $0.isWithin && $0.before == gap.before } }
        return found
    }

    /// Whether frames were on air during a gap, as far as is known.
    private func isWithin(_ range: Range<Int>, of spare: Spare, _ gap: OpenGap) -> Bool {
        guard let start = spare.aired.map({ $0 + spare.marks[..<range.lowerBound].length }) else { return false }
        let end = gap.length.map { gap.began + $0 }
        return start >= gap.began - Self.tolerance
            && end.map { start + spare.marks[range].length <= $0 + Self.tolerance } ?? true
    }

    /// Puts frames between those before and after a gap, unless some of them were delivered.
    private mutating func put(
        _ range: Range<Int>, of spare: Spare, within index: Int, _ before: Set<UInt64>, _ after: Set<UInt64>
    ) -> FoundAudio? {
        let (gap, marks) = (gaps[index], spare.marks)
        let shared = range.lowerBound == 0 ? RunMeeting.overlap(gap.tail, marks[range]) : 0
        let range = range.dropFirst(shared)
        let length = marks[range].length
        // Any other frame that was delivered before the gap shows that these belong elsewhere.
        guard !range.isEmpty, length <= gap.most + Self.tolerance,
            marks[range].allSatisfy({ !after.contains($0.fingerprint) && !put.contains($0.fingerprint) }),
            marks.dropFirst(shared).allSatisfy({ !before.contains($0.fingerprint) })
        else { return nil }
        // Time tells on which side the rest is missing, if less than half a frame is on the other.
        let least = max(Self.jitter, marks[range.lowerBound].duration / 2)
        let rest = gap.length.map { $0 - length }
        let aired = spare.isExact ? spare.aired : nil
        let passed = aired.map { $0 + marks[..<range.lowerBound].length - gap.began }
        let isWhole = rest.map { $0 <= marks[range.lowerBound].duration } ?? false
        let isBefore = rest != nil && passed.map { $0 < least } ?? false
        let isAfter = !isBefore && rest.flatMap { rest in passed.map { rest - $0 < least } } ?? false
        return put(range, of: spare, into: index, isWhole || isBefore, isWhole || isAfter)
    }

    /// The arrivals of short frames do not tell these from each other.
    private static let jitter = Duration.milliseconds(20)
}

extension Sequence<FrameMark> {
    fileprivate var length: Duration { reduce(.zero) { $0 + $1.duration } }
}

extension HeardIndex {
    /// Where these eight frames end, newest place first; nowhere if they are not distinct enough.
    fileprivate func places(of run: [FrameMark]) -> [Int] {
        HeardIndex(run).tail.map { places(of: $0, most: 64) } ?? []
    }
}

extension StreamParts {
    /// The frames in a range, with the titles among them, if they follow each other; nil if something between them or
    /// beside them says otherwise.
    fileprivate func frames(
        in range: Range<Int>, of format: StreamFormat
    ) -> (FrameBatch, [UInt8], titles: [(frame: Int, text: String)])? {
        var titles: [(frame: Int, text: String)] = []
        var (batch, bytes, isBroken, next) = (FrameBatch(), [UInt8](), false, 0)
        let sides = range.lowerBound...range.upperBound
        forEach { element in
            switch element {
            case .part(.title(let text, _, _)):
                if range.contains(next) { titles.append((next - range.lowerBound, text)) }
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
        return isBroken ? nil : (batch, bytes, titles)
    }
}
