// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Where a connection's frames join the programme: holds them back until the ``Splicer`` has decided, then lets them
/// through. Confined to the loop's thread; one for each connection.
///
/// Frames of a connection that is in doubt (its metadata may be out of step) are held back as well, whatever was
/// decided before.
final class Joint {
    /// What was decided about the connection, once. Whoever gets it lets the kept frames through with ``open()``.
    enum Decision {
        /// Nothing was heard before: all of its frames are new.
        case first
        /// It goes on from what was heard; `dropped` of its frames come before that place, and `unheard` of those were
        /// never heard.
        case splice(dropped: Int, unheard: Int, Splice.Method)
        /// It does not go on from what was heard.
        case gap(Seam)

        /// Whether some of the connection's frames equal frames heard before.
        var provesOneEncoder: Bool {
            switch self {
            case .first: false
            case .splice(_, _, let method): method == .match
            case .gap(let seam): seam.repeats != nil
            }
        }
    }

    /// Whole frames of the connection so far.
    private(set) var frames: Int64 = 0
    /// Counts signs of life: each frame, and once more each frame that was in doubt and turned out to be sound.
    private(set) var news: Int64 = 0
    /// How long the connection's frames play.
    var played: Duration { marker.played }
    /// Whether frames go through.
    private(set) var isOpen: Bool
    /// Whether it is known what the connection sends.
    private(set) var hasFormat = false

    private let taker: any StreamPartTaker
    /// Makes the decision. Nil where nothing was heard before, for a file, and once the joint is open.
    private var splicer: Splicer?
    /// The station's count of frames at the bookmark with which the connection is compared.
    private var heardBefore: Int64
    private var held = StreamParts()
    /// The size of the held parts, as the splicer last heard it.
    private var countedSize = 0
    /// Whether the decision was handed out; whoever got it lets the frames through.
    private(set) var isDecided = false
    private var isDoubtful = false
    /// Parts that came since the doubt arose.
    private var doubted = StreamParts()
    /// How many held frames were dropped.
    private var dropped = 0
    private var isCompared: Bool
    private var marker = FrameMarker()
    private let isMirror: Bool

    /// For a connection that may go on from `bookmark`. `isMirror`: it is to another address of the station than the
    /// one heard.
    init(after bookmark: ProgrammeFeed.Bookmark, isMirror: Bool = false, taker: any StreamPartTaker) {
        self.taker = taker
        self.isMirror = isMirror
        heardBefore = bookmark.frames
        isCompared = true
        isOpen = false
        if !bookmark.heard.memory.isEmpty { splicer = Splicer(after: bookmark.heard, isMirror: isMirror) }
    }

    /// Compares with a later bookmark, if more has been heard meanwhile and nothing is decided yet.
    ///
    /// This costs as much as a new connection does, so it is for the ends of other connections: each end calls it a few
    /// times at most, and a delivery never does.
    func rejoin(after bookmark: ProgrammeFeed.Bookmark) {
        guard isCompared, !isDecided, bookmark.frames > heardBefore, holdsAll else { return }
        heardBefore = bookmark.frames
        var splicer = self.splicer ?? Splicer(after: bookmark.heard, isMirror: isMirror)
        splicer.rejoin(after: bookmark.heard, held.marks)
        self.splicer = splicer
    }

    /// Whether it still holds every frame that came.
    var holdsAll: Bool { held.frames == frames }

    /// The connection brings a file, whose frames are not compared.
    func takeAsFile() {
        isCompared = false
        splicer = nil
    }

    /// The media time up to which frames went through or were dropped.
    var passed: Duration { played - held.duration - doubted.duration }

    /// The format of the first frame held.
    var firstFormat: StreamFormat? { held.firstFormat }
}

// MARK: - What the connection brings

extension Joint: ConnectionTaker {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        switch part {
        case .frame(let facts):
            return take(FrameBatch(facts, length: bytes.count), bytes)
        case .format(let format):
            hasFormat = true
            marker.begin(format)
        case .title, .resync, .missing:
            break
        }
        pass(part, bytes)
    }

    func take(_ batch: consuming FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        marker.mark(&batch, bytes)
        frames += Int64(batch.count)
        news += Int64(batch.count)
        guard isDoubtful || !isOpen else { return taker.take(batch, bytes) }
        batch.forEach(in: bytes) { pass(.frame($0), $1) }
    }

    private func pass(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        if isDoubtful { doubted.append(part, bytes) } else { accept(part, bytes) }
    }

    private func accept(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        guard !isOpen else { return taker.take(part, bytes) }
        held.append(part, bytes)
        guard case .frame(let facts) = part, let mark = facts.mark else { return }
        splicer?.add(mark, bytes: max(0, held.size - countedSize))
        countedSize = held.size
    }

    func doubt(_ isDoubtful: Bool) {
        self.isDoubtful = isDoubtful
        guard !isDoubtful else { return }
        var parts = StreamParts()
        swap(&parts, &doubted)
        news += Int64(parts.frames)
        parts.forEach { accept($0, $1) }
    }
}

// MARK: - What is made of it

extension Joint {
    /// How far the connection is behind what was heard, where its place is known and none of its frames is new yet.
    var behind: Duration? { splicer?.behind }

    /// When a decision may fall although nothing has arrived; `edge` is the connection's clock.
    func deadline(_ edge: EdgeClock) -> MonotonicInstant? {
        isOpen || held.frames == 0 ? nil : splicer?.deadline(edge)
    }

    /// A delivery has been taken, and the connection's clock knows of it. Returns the decision, if it falls now.
    /// `mayGap` is false while the connection before this one may still come back.
    func arrived(_ edge: EdgeClock, at now: MonotonicInstant, mayGap: Bool) -> Decision? {
        decision { $0.arrived(edge, at: now, mayGap: mayGap) }
    }

    /// Whether ``arrived(_:at:mayGap:)`` would decide on a gap.
    func wouldGap(_ edge: EdgeClock, at now: MonotonicInstant) -> Bool {
        wouldGap { $0.arrived(edge, at: now, mayGap: true) }
    }

    /// Whether ``conclude(_:)`` would decide on a gap.
    func wouldConcludeWithGap(_ edge: EdgeClock) -> Bool {
        wouldGap { $0.conclude(edge) }
    }

    private func wouldGap(_ ask: (inout Splicer) -> Splicer.Verdict) -> Bool {
        guard !isDecided, held.frames > 0, var splicer else { return false }
        if case .gap = ask(&splicer) { return true }
        return false
    }

    /// No more frames will come. Returns the decision on those that are held, if there is one to make.
    func conclude(_ edge: EdgeClock) -> Decision? {
        decision { $0.conclude(edge) }
    }

    private func decision(_ ask: (inout Splicer) -> Splicer.Verdict) -> Decision? {
        guard !isDecided, held.frames > 0 else { return nil }
        guard var splicer else { return decide(.first) }
        let verdict = ask(&splicer)
        self.splicer = splicer
        switch verdict {
        case .hold:
            return nil
        case .heard(let count):
            leaveOut(upTo: dropped + count)
            return nil
        case .join(let drop, let method):
            leaveOut(upTo: drop)
            return decide(.splice(dropped: drop, unheard: splicer.unheard, method))
        case .gap(let drop, let seam):
            leaveOut(upTo: drop)
            return decide(.gap(seam))
        }
    }

    private func leaveOut(upTo count: Int) {
        held.drop(count - dropped)
        dropped = count
        countedSize = held.size
    }

    private func decide(_ decision: Decision) -> Decision {
        isDecided = true
        return decision
    }

    /// Lets the kept frames through, and all that follow.
    func open() {
        isOpen = true
        splicer = nil
        // The taker may call back into the station, and so into this joint.
        var parts = StreamParts()
        swap(&parts, &held)
        parts.forEach { taker.take($0, $1) }
    }
}
