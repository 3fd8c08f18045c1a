// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Joins one connection's frames to the programme: holds them back until the ``Splicer`` has decided, then lets them
/// through.
final class Joint {
    /// The decision about the connection, made once. Its receiver releases the held frames with ``open()``.
    enum Decision {
        /// Nothing was delivered before: all frames are new.
        case first
        /// The connection continues the programme. Its first `dropped` frames come before the place at which the
        /// programme continues; `unheard` of them were never delivered. `wasSilent`: see
        /// ``Splicer/wasSilent``.
        case splice(dropped: Int, unheard: Int, wasSilent: Bool, Splice.Method)
        /// The connection does not continue the programme.
        case gap(Seam)
        /// There is no proof that the connection carries the station, and none can be expected. Not final: the frames
        /// are still held.
        case stranger

        /// Whether some of the connection's frames equal frames already delivered. Silence alone proves nothing.
        var isMatch: Bool {
            switch self {
            case .first, .stranger: false
            case .splice(_, _, _, let method): method == .match
            case .gap(let seam): seam.repeats != nil
            }
        }
    }

    /// What is known, before any frame is compared, of the station that a connection carries.
    enum Proof: Hashable {
        /// It is the station that plays.
        case given
        /// It may be another station, to which the programme may change.
        case wanted
        /// It may be another stream at the address that plays. Its frames are heard in any case, because what the
        /// user's address sends is never left out.
        case renamed
        /// It may be another station. Without a match, its frames do not belong to the programme.
        case needed
    }

    /// The number of whole frames on the connection so far.
    private(set) var frames: Int64 = 0
    /// The playing time of the connection's frames.
    var played: Duration { marker.played }
    /// Whether frames pass through.
    private(set) var isOpen: Bool
    /// The proof that the connection carries the station that plays. Frames that equal delivered ones are such a proof.
    var proof = Proof.given
    /// Called with frames that are not delivered: all that are let go of. See ``SpareFrames``.
    var onSpare: ((SpareFrames) -> Void)?
    /// What tells the connection's body from others.
    private(set) var trace = BodyTrace()
    /// Whether the format of the connection's frames is known.
    var hasFormat: Bool { format != nil }
    private var format: StreamFormat?

    private let taker: any StreamPartTaker
    private let isKnown: (BodyTrace) -> Bool
    /// How far the connection's server is behind the station's edge; nil if unknown.
    var lag: Duration? { didSet { splicer?.lag = lag } }
    /// The connection's server, and when its first frame was at the edge of that, as far as is known.
    var edge = ""
    var origin: MonotonicInstant?
    /// See ``Splicer/usualBurst``.
    var usualBurst: Duration? { didSet { splicer?.usualBurst = usualBurst } }
    /// Makes the decision. Nil if nothing was delivered before, for a file, and once the joint is open.
    private var splicer: Splicer?
    /// The end of the audio with which the connection is compared.
    private var bookmark: HubInlet.Bookmark
    private var held = StreamParts()
    /// The size of the held parts at the last call of the splicer.
    private var countedSize = 0
    /// Whether the decision has been returned. Its receiver opens the joint.
    private(set) var isDecided = false
    /// How many frames had arrived when the connection fell silent.
    private var silences: [Int64] = []
    /// Whether another connection holds frames that may be those behind the bookmark.
    private var isOvertaken = false
    /// How many frames had arrived when a frame of the station did that was awaited until then.
    private var awaited: [(frame: Int64, count: Int64)] = []
    /// The number of held frames dropped.
    private var dropped = 0
    private var isCompared: Bool
    /// Whether the connection returns to a programme that was left, and is compared with the end of that one.
    private var isReturn = false
    private var marker = FrameMarker()

    /// Creates the joint of a connection that may continue from `bookmark`. `isLate`: whether time has passed without
    /// the station, so that its first frame must be dated although it continues nothing. `isKnown`: whether a body that
    /// begins with these frames is known to be no station's.
    init(
        after bookmark: HubInlet.Bookmark, isLate: Bool = false,
        isKnown: @escaping (BodyTrace) -> Bool = { _ in false }, taker: any StreamPartTaker
    ) {
        (self.isKnown, self.taker) = (isKnown, taker)
        self.bookmark = bookmark
        isCompared = true
        isOpen = false
        if isLate || !bookmark.heard.memory.isEmpty { splicer = Splicer(after: bookmark.heard) }
    }

    /// Compares the connection with a later bookmark, if more has been delivered meanwhile, or a hole was found, and
    /// nothing is decided yet. `isLater`: whether its frames arrived after those before the bookmark.
    func rejoin(after bookmark: HubInlet.Bookmark, isLater: Bool = false) {
        guard !isReturn, !isDecided, isCompared else { return }
        if !isLater { noteArrivals(until: bookmark.frames) }
        if bookmark.frames > self.bookmark.frames { isOvertaken = false }
        if bookmark.continues(self.bookmark), splicer?.extend(to: bookmark.heard) ?? false {
            self.bookmark = bookmark
        } else if compare(with: bookmark) {
            self.bookmark = bookmark
        }
    }

    /// Compares the connection with the end of a programme that was left, whatever was delivered since. Returns false
    /// if it is too late for that.
    func goBack(to bookmark: HubInlet.Bookmark) -> Bool {
        if !isReturn, !bookmark.heard.memory.isEmpty { isReturn = compare(with: bookmark) }
        return isReturn
    }

    private func compare(with bookmark: HubInlet.Bookmark) -> Bool {
        guard isCompared, !isDecided, holdsAll else { return false }
        var splicer = Splicer(after: bookmark.heard)
        (splicer.lag, splicer.usualBurst) = (lag, usualBurst)
        for mark in held.marks { splicer.add(mark, bytes: 0) }
        (self.splicer, countedSize) = (splicer, 0)
        return true
    }

    /// Whether all frames received are still held.
    var holdsAll: Bool { held.frames == frames }

    /// Call if the connection was silent after this many frames, so that audio may be missing.
    func noteSilence(after frames: Int64) { silences.append(frames) }

    /// Marks the connection as a file, whose frames are not compared.
    func takeAsFile() {
        isCompared = false
        splicer = nil
    }

    /// The media time up to which frames were let through or dropped.
    var passed: Duration { played - held.duration }

    /// Where one of the connection's frames will be delivered if the first held one is at `start`; nil if it is not
    /// held, or is that first one.
    func position(ofFrame frame: Int64, from start: Position) -> Position? {
        let count = Int(frame) - dropped
        guard count > 0, count < held.frames else { return nil }
        let before = held.extent(ofFirst: count)
        return Position(
            frames: start.frames + Int64(count), bytes: start.bytes + Int64(before.bytes),
            samples: start.samples + before.samples)
    }

    /// The format of the first held frame.
    var firstFormat: StreamFormat? { held.firstFormat }
}

// MARK: - Parts from the connection

extension Joint: StreamPartTaker {
    func take(_ part: StreamPart) {
        if case .format(let format) = part {
            self.format = format
            marker.begin(format)
        }
        if isOpen { taker.take(part) } else { held.append(part) }
    }

    func take(_ batch: consuming FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        marker.mark(&batch, bytes)
        trace.add(batch)
        frames += Int64(batch.count)
        guard !isOpen else { return taker.take(batch, bytes) }
        held.append(batch, bytes)
        var size = max(0, held.size - countedSize)
        for index in 0..<batch.count {
            guard let mark = batch[index].mark else { continue }
            splicer?.add(mark, bytes: size)
            size = 0
        }
        countedSize = held.size
    }
}

// MARK: - Decisions

extension Joint {
    /// How far the connection lags behind the programme, if its place is known and none of its frames is new yet.
    var behind: Duration? { splicer?.behind }

    /// Whether the frames are those of the station that plays if they match delivered ones, and may still come to match
    /// them.
    var mayMatch: Bool { proof == .needed && !isDecided && behind == nil }

    /// The time at which a decision may become possible although nothing has arrived. `edge` is the connection's clock.
    func deadline(_ edge: EdgeClock) -> MonotonicInstant? {
        isOpen || held.frames == 0 ? nil : splicer?.deadline(edge)
    }

    /// Call after each delivery, once the connection's clock has been updated. Returns the decision if it is made now.
    /// `mayGap` is false while the previous connection may still recover.
    func arrived(_ edge: EdgeClock, at now: MonotonicInstant, mayGap: Bool) -> Decision? {
        decision(without: proof == .needed) { $0.arrived(edge, at: now, mayGap: mayGap) }
    }

    /// Whether ``arrived(_:at:mayGap:)`` would decide on a gap.
    func wouldGap(_ edge: EdgeClock, at now: MonotonicInstant) -> Bool {
        guard !isDecided, proof != .needed, held.frames > 0, stated == nil, var splicer else { return false }
        if case .gap = splicer.arrived(edge, at: now, mayGap: true) { return true }
        return false
    }

    /// Call when no more frames will come. Returns the decision on the held frames, if one is due.
    func conclude(_ edge: EdgeClock) -> Decision? {
        decision(without: proof == .wanted || proof == .needed, isOver: true) { $0.conclude(edge) }
    }

    /// `isStrange`: whether the frames of a connection without proof are those of a stranger. `isOver`: whether no more
    /// frames will come.
    private func decision(
        without isStrange: Bool, isOver: Bool = false, _ ask: (inout Splicer) -> Splicer.Verdict
    ) -> Decision? {
        guard !isDecided, held.frames > 0 else { return nil }
        guard var splicer else {
            // There is nothing with which the frames could prove that they are those of the station.
            if proof == .needed { return .stranger }
            return decide(.first)
        }
        let verdict = ask(&splicer)
        self.splicer = splicer
        switch verdict {
        case .hold, .gap:
            guard let stated else { break }
            leaveOut(upTo: dropped + stated)
            return decide(.splice(dropped: dropped, unheard: 0, wasSilent: false, .position))
        case .heard, .join: break
        }
        switch verdict {
        case .hold:
            return nil
        case .heard(let count):
            leaveOut(upTo: dropped + count)
            return nil
        case .join(_, .time) where isStrange: return .stranger
        case .gap(_, let seam) where isStrange && seam.repeats == nil: return .stranger
        // The frames of a known file wait, because a station's may follow them: then they were an advert.
        case .gap where isKnown(trace): return isFull || isOver ? .stranger : nil
        // Other stations are silent, too.
        case .join(_, .time) where proof != .given && !isReturn: return decide(.gap(Seam()))
        case .join(let drop, let method):
            // What follows shows where the frames that are left out end.
            leaveOut(upTo: drop, before: GapFiller.side)
            return decide(.splice(dropped: drop, unheard: splicer.unheard, wasSilent: splicer.wasSilent, method))
        case .gap(let drop, var seam):
            leaveOut(upTo: drop)
            if let end = bookmark.place { seam.stated = held.firstPlace?.samples(since: end) }
            return decide(.gap(seam))
        }
    }

    /// How many of the held frames were delivered, if the numbers of the stream prove that the next one continues the
    /// programme. Of more frames, their equality is the proof.
    private var stated: Int? {
        guard proof == .given, let end = bookmark.place else { return nil }
        return (0...min(GapFiller.side, held.frames - 1)).first { count in
            let tail = bookmark.heard.memory.marks(from: count, count: count)
            return held[count].place == end && tail.count == count
                && (0..<count).allSatisfy { held[$0].mark?.fingerprint == tail[$0].fingerprint }
        }
    }

    /// Whether as much is held as for any decision.
    private var isFull: Bool { held.duration >= Splicer.mostHeld || held.size >= Splicer.mostHeldBytes }

    /// Drops the held frames: they are no part of the programme, or are kept already.
    func discard() {
        leaveOut(upTo: dropped + held.frames)
        (splicer, isDecided) = (nil, true)
    }

    /// Leaves out held frames. `more`: how many of those after them are shown with them.
    private func leaveOut(upTo count: Int, before more: Int = 0) {
        if let onSpare, let format, count > dropped {
            noteArrivals(until: .max)
            var (left, place) = (held, frames - Int64(held.frames))
            left = left.prefix(count - dropped + more)
            var start = origin.map { $0 + passed }
            for (run, end) in (silences + [.max]).enumerated() where end > place && left.frames > 0 {
                let part = left.removeFirst(Int(clamping: end - place))
                onSpare(SpareFrames(run: run, format, part, start, awaited: awaited(from: place, part.frames)))
                place += Int64(part.frames)
                start = start.map { $0 + part.duration }
            }
        }
        held.drop(count - dropped)
        dropped = count
        countedSize = held.size
    }

    /// Which of some frames arrived while which frame of the station was awaited.
    private func awaited(from first: Int64, _ count: Int) -> [(frame: Int64, frames: Range<Int>)] {
        var begin = 0
        return awaited.compactMap { entry -> (frame: Int64, frames: Range<Int>)? in
            let end = max(begin, min(count, Int(entry.count - first)))
            defer { begin = end }
            return begin < end ? (entry.frame, begin..<end) : nil
        }
    }

    /// Call when another connection holds frames, which may be those behind the bookmark. What arrives from now on may
    /// belong behind these.
    func noteOthers() {
        noteArrivals(until: .max)
        isOvertaken = true
    }

    /// Remembers that the frames so far arrived while the station's frame behind the bookmark was awaited.
    private func noteArrivals(until frame: Int64) {
        guard frame > bookmark.frames, frames > awaited.last?.count ?? 0 else { return }
        awaited.append((isOvertaken ? Self.none : bookmark.frames, frames))
    }

    /// The count of no frame.
    private static let none: Int64 = -1

    private func decide(_ decision: Decision) -> Decision {
        isDecided = true
        return decision
    }

    /// Releases the held frames, and lets all later ones through.
    func open() {
        isOpen = true
        splicer = nil
        // Swapped out first: the taker may call back into the station, and so into this joint.
        var parts = StreamParts()
        swap(&parts, &held)
        parts.pass(to: taker)
    }
}
