// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// A player's sources in order: the one being handed over, the one that follows, and the one being heard. Confined to
/// the loop's thread.
final class Lineup {
    /// What is handed over.
    private(set) var current: PlaySource?
    /// What is heard.
    private(set) var heard: PlaySource?
    /// What follows the current source; it may be received already.
    private var follower: PlaySource?
    /// Whether others may follow the current source.
    private(set) var isOpen = false
    /// Whether there was more than one source, or might have been; and how that ended.
    private var wasOpen = false
    private var end: Failure?
    private var lastID = 0
    private let pipe: FramePipe
    private let book: MarkBook
    private let reactor: any Reactor
    /// Called with what a source tells.
    var onEvent: ((PlaySource, StreamEvent) -> Void)?
    /// Called when an archive has brought what is to be handed over.
    var onArchived: ((PlaySource) -> Void)?

    /// What handing over has come to.
    struct Progress {
        /// The source that has taken the place of the one before.
        var next: PlaySource?
        /// Whether nothing follows. Said once.
        var isOver = false
    }

    init(pipe: FramePipe, book: MarkBook, reactor: any Reactor) {
        self.pipe = pipe
        self.book = book
        self.reactor = reactor
    }

    /// Why it ends where all has been handed over; nil where that is as it should be.
    var failure: Failure? {
        // A queue that has gone on after a failure has none any more.
        wasOpen ? end : current?.failure
    }

    subscript(id: Int) -> PlaySource? {
        [current, follower, heard].compactMap(\.self).first { $0.id == id }
    }

    // MARK: Who is next

    /// The only source there is.
    func begin(_ programme: any Programme) -> PlaySource {
        let source = makeSource(programme, Passage(), follows: false)
        begin(source)
        return source
    }

    /// This now, and not what is at hand; others may follow.
    func replace(by programme: any Programme, _ passage: Passage) -> PlaySource {
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

    /// Nothing now; others may follow.
    func drop() {
        (isOpen, wasOpen) = (true, true)
        cancelFollower()
        guard let current = current.take() else { return }
        pipe.restart()
        current.detach()
        heard = nil
    }

    /// This after the current source.
    func follow(by programme: any Programme, _ passage: Passage) -> PlaySource {
        isOpen = true
        cancelFollower()
        let source = makeSource(programme, passage, follows: true)
        follower = source
        return source
    }

    /// What was to follow does not, where it has not begun; whether that is so.
    @discardableResult
    func cancelFollower() -> Bool {
        guard let follower = follower.take() else { return false }
        follower.detach()
        return true
    }

    /// Nothing follows the current source.
    func close(_ failure: Failure?) { (isOpen, end) = (false, failure) }

    /// Others may follow after all; whether it was said that none does.
    func reopen() -> Bool {
        guard wasOpen, !isOpen else { return false }
        (isOpen, end) = (true, nil)
        return true
    }

    /// The first audio of a source is heard.
    func hear(_ source: PlaySource) { heard = source }

    /// What is heard next is of the current source.
    func hearCurrent() { heard = current }

    func leaveAll() {
        for source in [current, follower] { source?.detach() }
        (current, follower) = (nil, nil)
    }

    private func makeSource(_ programme: any Programme, _ passage: Passage, follows: Bool) -> PlaySource {
        lastID += 1
        let source = PlaySource(
            programme, passage, id: lastID, origin: current?.reader.edge ?? .zero, follows: follows, pipe: pipe,
            marks: book, reactor: reactor)
        // A recording beside it does not wait for who listens.
        source.mayHoldBack = isOpen
        source.onEvent = { [weak self] source, event in self?.onEvent?(source, event) }
        source.onArchived = { [weak self] source in self?.onArchived?(source) }
        return source
    }

    private func begin(_ source: PlaySource) {
        current = source
        heard = heard ?? source
    }

    // MARK: Handing over

    /// Hands over what the pipe takes, of the current source and of what follows.
    func handOver() -> Progress {
        var progress = Progress()
        guard let source = current else { return progress }
        source.reader.handOver()
        source.fitPace()
        guard source.reader.isAtEnd else { return progress }
        if let next = follower.take() {
            goOn(from: source, with: next)
            progress.next = next
        } else if !isOpen, !source.isPipeEnded {
            source.isPipeEnded = true
            pipe.end()
            progress.isOver = true
        }
        return progress
    }

    private func goOn(from source: PlaySource, with next: PlaySource) {
        next.reader.moveOrigin(to: source.reader.edge)
        // Its ring may still be asked for what is heard.
        source.detach()
        current = next
        next.reader.handOver()
    }
}
