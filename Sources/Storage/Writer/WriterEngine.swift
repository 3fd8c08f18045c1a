// SPDX-License-Identifier: MIT

package import Instants

/// The work of the writer's thread, turn by turn: takes commands, writes what is due, syncs, completes, retries.
///
/// Confined to the thread that drives it. The time is an argument, so that tests can supply their own; everything that
/// blocks goes through ``FileSystemCalls``.
///
/// Data is written as it arrives, but data that arrives within ``WriterLimits/gather`` of the last write is gathered
/// from all clients and written at one wake-up. A file with a whole batch is written at once.
package final class WriterEngine {
    let system: any FileSystemCalls
    let queue: WriterQueue
    let limits: WriterLimits
    private var clients: [ClientWriter] = []
    /// When to write data; nil if none is expected.
    private var flushAt: MonotonicInstant?
    /// When data may be written without gathering.
    private var gatheredUntil = MonotonicInstant(nanoseconds: 0)
    private var lastTurn = MonotonicInstant(nanoseconds: 0)

    package init(queue: WriterQueue, system: any FileSystemCalls = LinuxFileSystem()) {
        self.queue = queue
        self.system = system
        limits = queue.limits
    }

    /// Takes and carries out all queued commands, and does what is due. Returns when the next turn is needed if no
    /// command arrives before.
    @discardableResult
    package func turn(now: MonotonicInstant) -> MonotonicInstant? {
        act(queue.takeAll(), now: now)
        return deadline
    }

    /// When the engine needs the next turn: at once while there is something to recover.
    var deadline: MonotonicInstant? {
        if clients.contains(where: \.isRecovering) { return MonotonicInstant(nanoseconds: 0) }
        var earliest = flushAt
        for client in clients {
            if let retryAt = client.retryAt { earliest = min(earliest ?? retryAt, retryAt) }
            if let syncAt = client.syncAt { earliest = min(earliest ?? syncAt, syncAt) }
        }
        return earliest
    }

    var isGathering: Bool { flushAt != nil && deadline == flushAt }

    func act(_ commands: [WriterCommand], now: MonotonicInstant) {
        lastTurn = now
        for command in commands { obey(command, now) }
        let isFlushing = flushAt.map { $0 <= now } ?? false
        var hasWritten = false
        for client in clients {
            if client.advance(all: isFlushing, now) { hasWritten = true }
        }
        if isFlushing {
            // If data had to gather, more is on its way, and the next write needs no wake-up by another thread.
            let hasGathered = flushAt == gatheredUntil
            gatheredUntil = now + limits.gather
            flushAt = hasGathered && hasWritten ? gatheredUntil : nil
        }
        sync(now)
        for client in clients { client.reportOldest() }
        if let client = clients.first(where: \.isRecovering) { client.stepRecovery() }
    }

    /// Closes all files as they are, as the last call.
    package func leaveAll() {
        for client in clients { client.leaveAll(lastTurn) }
        clients = []
    }

    private func obey(_ command: WriterCommand, _ now: MonotonicInstant) {
        switch command {
        case .attach(let number, let root, let report):
            clients.append(ClientWriter(number: number, root: root, engine: self, report: report))
        case .open(let id, let spec):
            client(id.client)?.open(id, spec)
        case .append(let id, let item):
            if flushAt == nil { flushAt = max(item.arrival, gatheredUntil) }
            client(id.client)?.append(item, to: id)
        case .sidecar(let id, let bytes):
            client(id.client)?.setSidecar(bytes, of: id, now)
        case .close(let id, let ending):
            client(id.client)?.close(id, ending, now)
        case .resume(let id, let ending, let next, let spec):
            client(id.client)?.resume(id, ending, in: next, spec, now)
        case .release(let id):
            client(id.client)?.release(id)
        case .recover(let number, let writesSidecars, let depth):
            client(number)?.recover(writesSidecars: writesSidecars, depth: depth, now)
        case .giveUp(let number):
            client(number)?.giveUp(now)
        case .detach(let number):
            client(number)?.leaveAll(now)
            remove(number)
        }
    }

    private func client(_ number: Int) -> ClientWriter? {
        clients.first { $0.number == number }
    }

    private func remove(_ number: Int) {
        guard let client = client(number) else { return }
        clients.removeAll { $0.number == number }
        queue.removeClient(number)
        client.report(.detached)
    }

    /// Syncs every file whose data has waited long enough; if there are many, all of a device with one call.
    private func sync(_ now: MonotonicInstant) {
        guard clients.contains(where: { $0.wantsSync(now) }) else { return }
        let start = queue.readClock()
        defer { queue.noteSync(since: start) }
        let unsynced = clients.flatMap { $0.unsyncedFiles }
        guard unsynced.count > limits.filesSyncedAlone else {
            for client in clients { client.syncDue(now) }
            return
        }
        var synced: Set<UInt64> = []
        var failed: Set<UInt64> = []
        for file in unsynced {
            let device = file.device
            if !synced.contains(device), !failed.contains(device) {
                if file.syncFileSystem() { synced.insert(device) } else { failed.insert(device) }
            }
        }
        for client in clients { client.syncAll(exceptOn: synced, now) }
    }
}
