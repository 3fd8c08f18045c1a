// SPDX-License-Identifier: MIT

import EventLoop
import Platform
import RadioCore
import Storage

/// Remembers where items were left, from one run to the next, in a file that a thread of its own reads and writes.
/// Confined to the loop's thread.
final class PositionsKeeper {
    private(set) var positions = PlayPositions()
    /// Called once, when the file has been read, or cannot be.
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

    /// Where there is no folder, or no thread, nothing outlives the run.
    init(folder: String?, reactor: any Reactor, onRead: @escaping () -> Void) {
        self.onRead = onRead
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

    func note(_ key: ItemKey, at position: Duration, of length: Duration?, _ reactor: any Reactor) {
        positions.note(key, at: position, of: length, now: reactor.wallNow)
    }

    func forget(_ key: ItemKey) { positions.forget(key) }

    /// Has what was noted written.
    func save() {
        let changes = positions.changes
        guard !changes.isEmpty else { return }
        desk.withLock { $0.changes = changes }
        desk.signal()
    }

    /// Has it written for the last time; `done` is called when it is.
    func close(_ done: @escaping () -> Void) {
        guard hasThread else { return done() }
        onClosed = done
        save()
        finishDesk()
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
        case .closed: onClosed.take()?()
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
