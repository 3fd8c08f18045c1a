// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import RadioCore
import Storage

/// Remembers where items were left, from one run to the next, in a file that a thread of its own reads and writes: every
/// ten seconds, and at the end. Confined to the loop's thread.
final class PositionsKeeper {
    /// What is heard just now.
    struct Heard {
        var key: ItemKey
        var position: Duration
        var length: Duration?
    }

    private var positions = PlayPositions()
    private let reactor: any Reactor
    private var heard: () -> Heard?
    private var timer: (any ReactorTimer)?
    /// Called once, when the file has been read, or cannot be, or takes its time.
    private var onRead: (() -> Void)?
    private var onClosed: (() -> Void)?
    private var hasThread = false
    private let desk = Monitor(Desk())

    /// What the thread is to do.
    private struct Desk {
        var changes: PlayPositions.Changes = [:]
        var isClosed = false
    }

    private enum News: Sendable {
        case read(PlayPositions)
        case wrote(PlayPositions.Changes)
        case closed
    }

    private static let saveInterval = Duration.seconds(10)
    /// Neither the beginning nor the end is held up by a disk that does not answer.
    private static let longestRead = Duration.milliseconds(500)
    private static let longestWrite = Duration.seconds(2)

    /// Where there is no folder, or no thread, nothing outlives the run. `heard` is asked now and then.
    init(folder: String?, reactor: any Reactor, heard: @escaping () -> Heard?, onRead: @escaping () -> Void) {
        self.reactor = reactor
        self.heard = heard
        self.onRead = onRead
        let timer = reactor.makeTimer { [weak self] in self?.timePassed() }
        timer.arm(at: reactor.now + Self.longestRead)
        self.timer = timer
        let bound = reactor.bind(self)
        guard let folder else {
            reactor.defer { [weak self] in self?.hasRead() }
            return
        }
        hasThread = true
        let (file, desk) = (PositionsFile(folder: folder), desk)
        do throws(SystemError) {
            try WorkerThread.start(name: "positions") {
                Self.run(file, desk) { news in bound.tell { $0.hear(news) } }
            }
        } catch {
            hasThread = false
            reactor.defer { [weak self] in self?.hasRead() }
        }
    }

    deinit { finishDesk() }

    /// Where an item begins; nil: at its start.
    func position(of key: ItemKey) -> Duration? { positions.position(of: key) }

    /// What is heard now may be left.
    func note() {
        guard let now = heard() else { return }
        positions.note(now.key, at: now.position, of: now.length, now: reactor.wallNow)
    }

    func forget(_ key: ItemKey) { positions.forget(key) }

    private func timePassed() {
        hasRead()
        note()
        save()
        timer?.arm(at: reactor.now + Self.saveInterval)
    }

    /// Has what was noted written.
    private func save() {
        let changes = positions.changes
        guard !changes.isEmpty else { return }
        desk.withLock { $0.changes = changes }
        desk.signal()
    }

    /// Has what was noted written for the last time; `done` is called when it is, or has taken too long.
    func close(_ done: @escaping () -> Void) {
        onRead = nil
        heard = { nil }
        guard hasThread else { return closed(done) }
        onClosed = done
        save()
        finishDesk()
        // Holds this until the end.
        let timer = reactor.makeTimer { [self] in hear(.closed) }
        timer.arm(at: reactor.now + Self.longestWrite)
        self.timer = timer
    }

    private func closed(_ done: () -> Void) {
        timer?.cancel()
        timer = nil
        done()
    }

    private func finishDesk() {
        desk.withLock { $0.isClosed = true }
        desk.signal()
    }

    private func hasRead() { onRead.take()?() }

    private func hear(_ news: News) {
        switch news {
        case .read(let read):
            positions.adopt(read)
            hasRead()
        case .wrote(let changes): positions.wrote(changes)
        case .closed: if let done = onClosed.take() { closed(done) }
        }
    }

    private static func run(_ file: PositionsFile, _ desk: Monitor<Desk>, _ tell: (News) -> Void) {
        tell(.read((try? file.read().positions) ?? PlayPositions()))
        while let changes = next(desk) {
            // What cannot be written now is written with the next ones.
            if (try? file.update(changes)) != nil { tell(.wrote(changes)) }
        }
        tell(.closed)
    }

    private static func next(_ desk: Monitor<Desk>) -> PlayPositions.Changes? {
        desk.wait(until: nil) { desk -> PlayPositions.Changes?? in
            if !desk.changes.isEmpty {
                defer { desk.changes = [:] }
                return .some(desk.changes)
            }
            return desk.isClosed ? .some(nil) : nil
        } ?? nil
    }
}
