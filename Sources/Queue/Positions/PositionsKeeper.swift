// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import Instants
import Platform
import Playback
import RadioCore
import Storage

/// Remembers playback positions between runs, in a file. A separate thread reads the file at the start, and writes it
/// every ten seconds and at the end.
final class PositionsKeeper {
    /// The item being heard, the position in it, and the list to which it belongs.
    struct HeardItem {
        var item: QueueItem
        var position: Duration
        var length: Duration?
        var list: ItemKey?
    }

    private(set) var positions = PlayPositions()
    private let reactor: any Reactor
    private var heard: () -> HeardItem?
    private var timer: (any ReactorTimer)?
    /// Called once: when the file has been read, when it turns out that it cannot be read, or after `longestRead`.
    private var onRead: (() -> Void)?
    private var onClosed: (() -> Void)?
    /// Called when positions cannot be written. Only the first such failure is reported.
    var onProblem: ((Failure) -> Void)?
    private var hasThread = false
    /// The changes that the thread has to write.
    private let unwritten = Mailbox<PlayPositions.Changes?>(nil)

    private enum Update: Sendable {
        case read(PlayPositions)
        case wrote(PlayPositions.Changes)
        case failed(Failure)
        case closed
    }

    private static let saveInterval = Duration.seconds(10)
    /// How long an unresponsive disk may delay the start (`longestRead`) and the end (`longestWrite`).
    private static let longestRead = Duration.milliseconds(500)
    private static let longestWrite = Duration.seconds(2)

    /// Without a folder, or if the thread cannot start, positions last only for this run. `heard` is called every ten
    /// seconds and by ``note()``, and returns the current position.
    init(folder: String?, reactor: any Reactor, heard: @escaping () -> HeardItem?, onRead: @escaping () -> Void) {
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
        let (file, unwritten) = (PositionsFile(folder: folder), unwritten)
        do throws(SystemError) {
            try WorkerThread.start(name: "positions") {
                Self.run(file, unwritten) { update in bound.tell { $0.hear(update) } }
            }
        } catch {
            hasThread = false
            reactor.defer { [weak self] in self?.hasRead() }
        }
    }

    deinit { unwritten.close() }

    /// Keeps the current position, from which the item can be continued if the user leaves it now.
    func note() {
        guard let now = heard() else { return }
        positions.note(now.item, at: now.position, of: now.length, in: now.list, now: reactor.wallNow)
    }

    /// See ``PlayPositions/enter(_:of:now:)``.
    func enter(_ item: QueueItem, of list: ItemKey) { positions.enter(item, of: list, now: reactor.wallNow) }

    /// See ``PlayPositions/pass(_:now:)``.
    func pass(_ item: QueueItem) { positions.pass(item, now: reactor.wallNow) }

    func forget(_ key: ItemKey) { positions.forget(key) }

    private func timePassed() {
        hasRead()
        note()
        save()
        timer?.arm(at: reactor.now + Self.saveInterval)
    }

    /// Passes unwritten changes to the thread.
    private func save() {
        let changes = positions.changes
        guard !changes.isEmpty else { return }
        unwritten.put { $0 = changes }
    }

    /// Passes the unwritten changes to the thread for the last time. Calls `done` when they are written, or after
    /// `longestWrite`.
    func close(_ done: @escaping () -> Void) {
        onRead = nil
        heard = { nil }
        guard hasThread else { return closed(done) }
        onClosed = done
        save()
        unwritten.close()
        // The timer's closure retains this object until the end.
        let timer = reactor.makeTimer { [self] in hear(.closed) }
        timer.arm(at: reactor.now + Self.longestWrite)
        self.timer = timer
    }

    private func closed(_ done: () -> Void) {
        timer?.cancel()
        timer = nil
        done()
    }

    private func hasRead() { onRead.take()?() }

    private func hear(_ update: Update) {
        switch update {
        case .read(let read):
            positions.adopt(read)
            hasRead()
        case .wrote(let changes): positions.wrote(changes)
        case .failed(let failure): onProblem.take()?(failure)
        case .closed: if let done = onClosed.take() { closed(done) }
        }
    }

    private static func run(
        _ file: PositionsFile, _ unwritten: Mailbox<PlayPositions.Changes?>, _ tell: (Update) -> Void
    ) {
        tell(.read((try? file.read().positions) ?? PlayPositions()))
        while let changes = unwritten.take({ $0.take() }) {
            do throws(StorageError) {
                _ = try file.update(changes)
                tell(.wrote(changes))
            } catch {
                // The changes stay marked as unwritten, and are written together with later changes.
                tell(.failed(error.failure))
            }
        }
        tell(.closed)
    }
}
