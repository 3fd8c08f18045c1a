// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Storage

/// The events of a recording: the single record of its titles, gaps, splices and stretches.
///
/// Positions count frames from the beginning of the recording. A file's entries are derived from its frames whenever
/// its sidecar is written: see ``sidecar(of:state:)``. Each list keeps its newest entries, as many as a report holds.
struct RecordingLedger {
    private(set) var titles: [Sidecar.Title] = []
    private(set) var splices: [Sidecar.Splice] = []
    /// The stretches that have ended.
    private var ended = Sidecar.Stretches()
    /// The stretch that goes on.
    private var open: Stretch?
    /// The audio that was put into gaps later.
    private(set) var healed: [Sidecar.Healed] = []
    private(set) var bytes: Int64 = 0
    private(set) var seconds = 0.0
    /// The audio lost since the last recorded frame, in order; becomes gaps before the next one.
    private(set) var losses: [Gap] = []
    let zone: any TimeZoneRules
    private var entries: [LedgerGap] = []
    private var map = FrameMap()

    init(zone: any TimeZoneRules) {
        self.zone = zone
    }

    var frames: Int64 { map.count }
    var gaps: [Sidecar.Gap] { entries.map(\.gap) }
    /// The stretches. One that goes on ends with the newest frame.
    var stretches: Sidecar.Stretches {
        var stretches = ended
        if let open, let entry = entry(of: open) { stretches[open.kind].note(entry) }
        return stretches
    }

    // MARK: Frames

    /// Counts consecutive frames. `first` is the number of the first frame in the station's stream.
    mutating func count(first: Int64, frames: Int64, bytes: Int64, seconds: Double) {
        map.append(first: first, count: frames)
        self.bytes += bytes
        self.seconds += seconds
    }

    /// Removes the frames at `range`, which were never written. Their entries move to the frame after them.
    mutating func forget(_ range: Range<Int64>, bytes: Int64, seconds: Double) {
        map.remove(range)
        self.bytes -= bytes
        self.seconds -= seconds
        titles.remove(range)
        entries.remove(range)
        splices.remove(range)
        healed.remove(range)
        ended = ended.compactMap { $0.without(range) }
    }

    // MARK: Entries

    /// Adds an entry that belongs to the next frame, or to past frames. Returns what changes in past frames.
    @discardableResult
    mutating func enter(_ entry: SegmentEntry) -> LedgerChange {
        switch entry {
        case .title(let title, let airTime):
            titles.appendBounded(
                Sidecar.Title(
                    at: CivilTime(airTime, in: zone), position: frames, text: title.text, url: title.url))
        case .discontinuity: if let gap = gap(of: entry) { entries.insertBounded(gap) }
        case .hole(let gap, let position): return enter(gap, before: position.frames)
        case .splice(let splice):
            var entry = Sidecar.Splice(
                at: CivilTime(splice.at, in: zone), position: frames, droppedFrames: splice.droppedFrames,
                by: splice.method.rawValue)
            entry.unheardFrames = splice.unheardFrames
            splices.appendBounded(entry)
        case .stretch(let stretch): return LedgerChange(frames: enter(stretch))
        }
        return LedgerChange()
    }

    /// The gap that an entry of the next frame notes; nil if it notes none.
    func gap(of entry: SegmentEntry) -> LedgerGap? {
        guard case .discontinuity(let discontinuity) = entry, case .gap(let gap) = discontinuity.kind
        else { return nil }
        return LedgerGap(gap: Sidecar.Gap(gap, in: zone, position: frames), toldAt: discontinuity.position.frames)
    }

    /// Enters a gap before one of the station's frames, whether or not that frame was recorded. The new gap replaces
    /// one that is already there. What is behind it was on air later by as much as is missing more than was known.
    private mutating func enter(_ gap: Gap, before frame: Int64) -> LedgerChange {
        let position = map.recorded(before: frame)
        guard position > 0 else { return LedgerChange() }
        let new = Sidecar.Gap(gap, in: zone, position: position)
        var delay = Duration.milliseconds(new.milliseconds ?? 0)
        if let index = entries.firstIndex(where: { $0.toldAt == frame }) {
            // Another connection dates its frames by their arrivals.
            let isDated = !gap.isInsideConnection || splices.last.map { $0.position > position } ?? false
            delay = entries[index].tell(new, isDated: isDated)
        } else {
            entries.insertBounded(LedgerGap(gap: new, toldAt: frame))
        }
        titles.delay(from: position, by: delay, in: zone)
        splices.delay(from: position, by: delay, in: zone)
        entries.delay(from: position + 1, by: delay, in: zone)
        for kind in Stretch.Kind.allCases { ended[kind].delay(from: position, by: delay, in: zone) }
        if let begun = open, map.recorded(before: begun.frames.lowerBound) >= position { open?.at = begun.at + delay }
        return LedgerChange(frames: [position - 1..<frames + 1], delay: (from: position, by: delay))
    }

    /// Enters the recorded part of a stretch, and returns the frames whose sidecars change. A foreign stretch means
    /// that nothing of the programme is missing, so gaps entered inside the stretch, and before the frame after it, are
    /// removed.
    private mutating func enter(_ stretch: Stretch) -> [Range<Int64>] {
        if stretch.isOpen || stretch.kind == open?.kind { open = stretch.isOpen ? stretch : nil }
        guard !stretch.isOpen else { return [] }
        let own = entry(of: stretch)
        if let own { ended[stretch.kind].note(own) }
        let frames = own.map { [$0.range] } ?? []
        guard stretch.kind == .foreign else { return frames }
        let range = stretch.frames.lowerBound...stretch.frames.upperBound
        let isNone = { (gap: LedgerGap) in gap.toldAt.map(range.contains) == true }
        let places = entries.filter(isNone).map { $0.position..<$0.position + 1 }
        entries.removeAll(where: isNone)
        return frames + places
    }

    /// The recorded part of a stretch; nil if there is none.
    private func entry(of stretch: Stretch) -> Sidecar.Stretch? {
        let start = map.recorded(before: stretch.frames.lowerBound)
        let count = (stretch.isOpen ? frames : map.recorded(before: stretch.frames.upperBound)) - start
        guard count > 0 else { return nil }
        let share = Double(count) / Double(max(1, stretch.frames.count))
        let length: Duration =
            stretch.isOpen
            ? .seconds(seconds * Double(count) / Double(frames))
            : share == 1 ? stretch.length : .seconds(stretch.length.inSeconds * share)
        let isCut = !stretch.isOpen && map.begins(after: stretch.frames.lowerBound)
        return Sidecar.Stretch(
            at: CivilTime(isCut ? stretch.at + stretch.length - length : stretch.at, in: zone),
            milliseconds: length.wholeMilliseconds, position: start, frames: count, by: stretch.by)
    }

    /// Enters a gap before a frame that has already been counted.
    mutating func insert(_ gap: Gap, at position: Int64) -> Sidecar.Gap {
        let entry = Sidecar.Gap(gap, in: zone, position: position)
        entries.insertBounded(LedgerGap(gap: entry))
        return entry
    }

    // MARK: Found audio

    /// The place of the gap to which found audio belongs; nil if there is none. Where the disk has lost audio as well,
    /// the frames beside the gap are not those that the station had there, so that is none, either.
    func place(of found: FoundPiece) -> Int64? {
        let told = entries.filter { $0.toldAt == found.before }
        guard let gap = told.last, told.count == 1 || found.isWithin,
            entries.count(where: { $0.position == gap.position }) == 1
        else { return nil }
        return gap.position
    }

    /// Removes the gap to which found audio belongs.
    mutating func removeGap(of found: FoundPiece) { entries.removeAll { $0.toldAt == found.before } }

    /// Enters found audio that was put into its gap. What belongs to later frames moves with them.
    mutating func put(_ new: Sidecar.Healed, of found: FoundPiece, bytes: Int64, seconds: Double) {
        let range = new.position..<new.position + new.frames
        let told = entries.firstIndex { $0.toldAt == found.before && $0.position == new.position }
        var gap = told.map { entries.remove(at: $0) }
        titles.open(for: range)
        enter(titlesOf: found, at: new)
        entries.open(for: range)
        splices.open(for: range)
        healed.open(for: range)
        ended.open(for: new)
        if found.continuesBefore, found.isContinuedAfter { gap = nil }
        let isWithin = found.isWithin
        gap?.leave(found.rest, behind: new, isFront: found.continuesBefore, isWithin: isWithin, in: zone)
        if let gap { entries.insertBounded(gap) }
        if isWithin, var gap {
            gap.leave(nil, behind: new, isFront: true, isWithin: true, in: zone)
            entries.insertBounded(gap)
        }
        healed.appendBounded(new)
        healed.sort { $0.position < $1.position }
        map.insert(new.frames, before: found.before, at: new.position)
        self.bytes += bytes
        self.seconds += seconds
    }

    /// Enters the titles of found audio that was put in. The station may have told them again behind it.
    private mutating func enter(titlesOf found: FoundPiece, at new: Sidecar.Healed) {
        let place = titles.firstIndex { $0.position >= new.position } ?? titles.count
        let later = titles[place...]
        titles.removeLast(later.count)
        let own = found.titles.map { title in
            let at = CivilTime(new.at.instant + title.after, in: zone)
            return Sidecar.Title(at: at, position: new.position + Int64(title.frame), text: title.text)
        }
        for title in own + later where own.isEmpty || title.text != titles.last?.text { titles.appendBounded(title) }
    }

    /// The gaps of the station that no frame follows.
    var openGaps: [Sidecar.Gap] { entries.filter { $0.position == frames && $0.toldAt != nil }.map(\.gap) }

    // MARK: Losses

    /// Adds audio that cannot be kept to the losses. Losses that follow each other are merged into one gap with the
    /// cause of the earlier loss. Between others, the station has a gap of its own. `isEarlier`: whether `gap` precedes
    /// the losses noted so far.
    mutating func lose(_ gap: Gap, isEarlier: Bool = false) {
        guard let near = isEarlier ? losses.first : losses.last else { return losses = [gap] }
        var (sum, later) = isEarlier ? (gap, near) : (near, gap)
        let end = sum.at + (sum.length ?? .zero)
        guard later.at - end < Self.leastPause || losses.count == RecordingReport.longestList else {
            return losses.insert(gap, at: isEarlier ? 0 : losses.count)
        }
        sum.at = min(sum.at, later.at)
        sum.length = (sum.length ?? .zero) + (later.length ?? .zero)
        losses[isEarlier ? 0 : losses.count - 1] = sum
    }

    /// Enters the lost audio as gaps before the next frame, and returns these.
    mutating func endLosses() -> [Sidecar.Gap] {
        defer { losses = [] }
        return losses.map { insert($0, at: frames) }
    }

    /// Forgets the losses that are not gaps yet.
    mutating func forgetLosses() { losses = [] }

    /// The stretches of a segment's audio between the gaps of the station in it.
    func spans(of segment: SegmentAccount) -> [Range<WallInstant>] {
        var (stretches, start) = ([Range<WallInstant>](), segment.start)
        var end = start + segment.duration
        for gap in entries.within(segment.range).map(\.gap) where gap.position > 0 {
            guard let milliseconds = gap.milliseconds, gap.at.instant >= start else { continue }
            stretches.append(start..<gap.at.instant)
            start = gap.at.instant + .milliseconds(milliseconds)
            end = end + .milliseconds(milliseconds)
        }
        return (stretches + [start..<max(start, end)]).filter { !$0.isEmpty }
    }

    /// Air times are accurate to a part of this while they settle.
    private static let leastPause = Duration.milliseconds(500)

    // MARK: Files

    /// The frames whose entries belong to a segment. Entries after the last frame belong to the last segment.
    func range(of segment: SegmentAccount) -> Range<Int64> {
        let range = segment.range
        return range.upperBound == frames ? range.lowerBound..<frames + 1 : range
    }

    /// How much of the programme is missing between the first frame of a segment and the frame `frame` of it, as far as
    /// it is known, and how far the clock was set meanwhile. With the audio between them, this tells when that frame
    /// was live.
    func missing(in segment: SegmentAccount, before frame: Int64) -> Duration {
        let step = clockStep(in: segment).flatMap { $0.position <= frame ? $0.milliseconds : nil }
        return entries.within(segment.first..<segment.first + frame + 1).map(\.gap).missingInside
            + .milliseconds(step ?? 0)
    }

    /// How much of the programme is missing after the first frame of a segment, as far as it is known.
    func missing(in segment: SegmentAccount) -> Duration {
        entries.within(range(of: segment)).map(\.gap).missingInside
    }

    /// The step of the clock during a segment: see ``SegmentAccount/clockStep(missing:)``. A gap of unknown length
    /// hides it, because the air time for which neither audio nor gaps account may be that of the gap: then nil.
    func clockStep(in segment: SegmentAccount) -> Sidecar.ClockStep? {
        guard segment.clockStep != nil else { return nil }
        let gaps = entries.within(segment.range).map(\.gap)
        guard gaps.allSatisfy({ $0.position == 0 || $0.milliseconds != nil }) else { return nil }
        return segment.clockStep(missing: gaps.missingInside)
    }

    /// Whether audio is missing in a segment, or beside it: a song is not whole then.
    func lacksAudio(_ segment: SegmentAccount) -> Bool {
        entries.contains { (segment.range.lowerBound...segment.range.upperBound).contains($0.position) }
    }

    /// The sidecar of a segment, except for names.
    func sidecar(of segment: SegmentAccount, state: Sidecar.State) -> Sidecar {
        let range = range(of: segment)
        var sidecar = segment.sidecar(state: state, in: zone)
        sidecar.clockStep = clockStep(in: segment)
        sidecar.hasWholeSong = segment.hasWholeSong.map { $0 && !lacksAudio(segment) }
        sidecar.titles = titles(of: segment)
        sidecar.gaps = entries.within(range).map(\.gap)
        sidecar.splices = splices.within(range)
        sidecar.stretches = stretches.compactMap { segment.part(of: $0, in: zone) }
        sidecar.healed = healed.within(range)
        sidecar.revision = Int64(sidecar.healed.count)
        return sidecar
    }

    /// The titles of a segment, including the title with which it begins. If that title was on air already before the
    /// segment, its time says so. So it can be recognised as the same title in the file before.
    func titles(of segment: SegmentAccount) -> [Sidecar.Title] {
        let own = titles.within(range(of: segment))
        guard own.first?.position != 0, let text = segment.title else { return own }
        let begun = titles.last { $0.position < segment.first && $0.text == text }
        let at = begun?.at ?? CivilTime(segment.start, in: zone)
        return [Sidecar.Title(at: at, position: 0, text: text, url: begun?.url)] + own
    }
}
