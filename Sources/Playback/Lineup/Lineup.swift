// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// A player's sources in order: the source being heard, the source being handed over, and the source that follows.
/// Confined to the loop's thread.
final class Lineup {
    /// The source whose frames are being handed over to the pipe.
    private(set) var current: PlaySource?
    /// The source being heard; before any audio is heard, the source that will be heard first.
    private(set) var heard: PlaySource?
    /// The source after ``current``; its audio may be arriving already.
    private var follower: PlaySource?
    /// Whether other sources may follow ``current``.
    private(set) var isOpen = false
    /// Whether ``isOpen`` has ever been set by ``replace(by:_:)`` or ``drop()``, as in a queue.
    private var wasOpen = false
    /// The failure that ``close(_:)`` was called with.
    private var end: Failure?
    private var lastID = 0
    private let pipe: FramePipe
    private let book: CueBook
    private let tolerance: Duration
    private let reactor: any Reactor
    /// Called with each event of a source.
    var onEvent: ((PlaySource, StreamEvent) -> Void)?
    /// How much audio could not be played, because it was no longer kept.
    private(set) var skipped = Duration.zero
    /// Called after each archive read of a source: more of its frames may be available.
    var onArchived: ((PlaySource) -> Void)?

    /// The result of ``handOver()``.
    struct Progress {
        /// The follower that has become ``current``; nil if none has.
        var next: PlaySource?
        /// Whether this call has ended the pipe because no source follows.
        var isOver = false
    }

    init(pipe: FramePipe, book: CueBook, tolerance: Duration, reactor: any Reactor) {
        self.pipe = pipe
        self.book = book
        self.tolerance = tolerance
        self.reactor = reactor
    }

    /// Why the audio ends once all of it has been handed over; nil if it ends normally.
    var failure: Failure? {
        // A queue that continued after a failed item has not failed.
        wasOpen ? end : current?.failure
    }

    subscript(id: Int) -> PlaySource? {
        [current, follower, heard].compactMap(\.self).first { $0.id == id }
    }

    // MARK: Changing the order

    /// Begins with `programme` as the only source.
    func begin(_ programme: Programme) -> PlaySource {
        let source = makeSource(programme, Passage(), follows: false)
        begin(source)
        return source
    }

    /// Plays `programme` immediately, discarding all queued audio. Other sources may follow.
    func replace(by programme: Programme, _ passage: Passage) -> PlaySource {
        (isOpen, wasOpen) = (true, true)
        cancelFollower()
        let source = makeSource(programme, passage, follows: false)
        if let current {
            pipe.restart()
            current.detach()
        }
        begin(source)
        return source
    }

    /// Discards the sources and all queued audio. Other sources may follow.
    func drop() {
        (isOpen, wasOpen) = (true, true)
        cancelFollower()
        guard let current = current.take() else { return }
        pipe.restart()
        current.detach()
        heard = nil
    }

    /// Makes `programme` the follower of the current source, replacing any earlier follower.
    func follow(by programme: Programme, _ passage: Passage) -> PlaySource {
        isOpen = true
        cancelFollower()
        let source = makeSource(programme, passage, follows: true)
        follower = source
        return source
    }

    /// Cancels the follower. Returns false if there is no follower, or if it has become ``current`` already.
    @discardableResult
    func cancelFollower() -> Bool {
        guard let follower = follower.take() else { return false }
        follower.detach()
        return true
    }

    /// Declares that no source follows the current source; `failure` is why, if the queue failed.
    func close(_ failure: Failure?) { (isOpen, end) = (false, failure) }

    /// Lets other sources follow again after ``close(_:)``. Returns false if it was not closed.
    func reopen() -> Bool {
        guard wasOpen, !isOpen else { return false }
        (isOpen, end) = (true, nil)
        return true
    }

    /// Notes that the first audio of a source is heard.
    func hear(_ source: PlaySource) { heard = source }

    /// Notes that the audio heard next belongs to the current source.
    func hearCurrent() { heard = current }

    func leaveAll() {
        for source in [current, follower] { source?.detach() }
        (current, follower) = (nil, nil)
    }

    private func makeSource(_ programme: Programme, _ passage: Passage, follows: Bool) -> PlaySource {
        lastID += 1
        let source = PlaySource(
            programme, passage, id: lastID, origin: current?.reader.edge ?? .zero, follows: follows, pipe: pipe,
            cues: book, reactor: reactor)
        // Outside a queue, a recording may share the programme, and must not wait for the listener.
        source.mayHoldBack = isOpen
        source.tolerance = tolerance
        source.onEvent = { [weak self] source, event in self?.onEvent?(source, event) }
        source.onArchived = { [weak self] source in self?.onArchived?(source) }
        source.reader.onSkipped = { [weak self] in self?.skipped += $0 }
        return source
    }

    private func begin(_ source: PlaySource) {
        current = source
        heard = heard ?? source
    }

    // MARK: Handing over

    /// Fills the pipe with frames of the current source, and then of its follower.
    func handOver() -> Progress {
        var progress = Progress()
        guard let source = current else { return progress }
        source.reader.handOver()
        source.fitPace()
        guard source.reader.isAtEnd else { return progress }
        if let next = follower.take() {
            proceed(from: source, with: next)
            progress.next = next
        } else if !isOpen, !source.isPipeEnded {
            source.isPipeEnded = true
            pipe.end()
            progress.isOver = true
        }
        return progress
    }

    private func proceed(from source: PlaySource, with next: PlaySource) {
        next.reader.moveOrigin(to: source.reader.edge)
        // The hub of `source` is still queried about the item while the item is being heard.
        source.detach()
        current = next
        next.reader.handOver()
    }
}
