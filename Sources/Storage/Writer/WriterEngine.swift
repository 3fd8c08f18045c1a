// SPDX-License-Identifier: MIT

package import Instants

/// The work of the writer's thread, turn by turn: takes commands, writes what is due, syncs, completes, retries.
///
/// Confined to the thread that drives it. The time is an argument, so that tests can supply any time; everything that
/// blocks goes through ``FileSystemCalls``.
///
/// Data is written as it arrives, but data that arrives within ``WriterLimits/gather`` of the last write is gathered
/// from all clients and written at one wake-up. A file with a whole batch is written at once.
package final class WriterEngine {
    let system: any FileSystemCalls
    let queue: WriterQueue
    let limits: WriterLimits
    private var clients: [Int: ClientWriter] = [:]
    /// Clients with data that is in no file yet, including clients whose disk rejects it.
    private var pending: Set<Int> = []
    private var recovering: [Int] = []
    /// All recordings folders by their paths.
    private var folders: [String: RecordingsFolder] = [:]
    /// When folders were last searched for files to complete.
    private var searched: [String: MonotonicInstant] = [:]
    /// Lower bounds for the time of the next retry and the time of the next sync of any client. Until then, a turn need
    /// not look at all clients, of which there may be a thousand.
    private var (retryAt, syncAt): (MonotonicInstant?, MonotonicInstant?)
    /// When to write data; nil if none is expected.
    private var flushAt: MonotonicInstant?
    /// From this time on, data may be written without gathering.
    private var gatheredUntil = MonotonicInstant(nanoseconds: 0)
    private var lastTurn = MonotonicInstant(nanoseconds: 0)

    package init(queue: WriterQueue, system: any FileSystemCalls = LinuxFileSystem()) {
        self.queue = queue
        self.system = system
        limits = queue.limits
    }

    /// Takes and carries out all queued commands, and does what is due. Returns when the next turn is needed, if no
    /// command arrives earlier.
    @discardableResult
    package func turn(now: MonotonicInstant) -> MonotonicInstant? {
        act(queue.takeAll(), now: now)
        return deadline
    }

    /// When the engine needs the next turn: at once while there is something to recover.
    var deadline: MonotonicInstant? {
        guard recovering.isEmpty else { return MonotonicInstant(nanoseconds: 0) }
        return .earliest(flushAt, .earliest(retryAt, syncAt))
    }

    var isGathering: Bool { flushAt != nil && deadline == flushAt }

    func act(_ commands: [WriterCommand], now: MonotonicInstant) {
        lastTurn = now
        var touched: Set<Int> = []
        for command in commands { touched.insert(obey(command, now)) }
        let isFlushing = flushAt.map { $0 <= now } ?? false
        if isFlushing { touched.formUnion(pending) }
        if let due = retryAt, due <= now { touched.formUnion(takeRetries()) }
        var hasWritten = false
        for number in touched.sorted() {
            guard let client = clients[number] else { continue }
            if client.advance(all: isFlushing, now) { hasWritten = true }
            note(client)
            client.reportBacklog()
        }
        if isFlushing {
            // If data was gathered, more is likely to arrive. Scheduling the next write here saves a wake-up by another
            // thread.
            let hasGathered = flushAt == gatheredUntil
            gatheredUntil = now + limits.gather
            flushAt = hasGathered && hasWritten ? gatheredUntil : nil
        }
        if let due = syncAt, due - limits.syncSlack <= now { sync(now) }
        if let number = recovering.first, let client = clients[number] {
            client.stepRecovery()
            if !client.isRecovering {
                recovering.removeFirst()
                client.report(.recoveryEnded)
            }
        }
    }

    /// Puts a client among those with work left, and takes its next deadlines.
    private func note(_ client: ClientWriter) {
        noteLeftBehind(client)
        if client.hasPending { pending.insert(client.number) } else { pending.remove(client.number) }
        if let due = client.retryAt { retryAt = min(retryAt ?? due, due) }
        if let due = client.syncAt { syncAt = min(syncAt ?? due, due) }
    }

    /// If the client has left a part behind, the next recording in its folder searches the folder again.
    private func noteLeftBehind(_ client: ClientWriter) {
        if client.hasLeftBehind { searched[client.rootPath] = nil }
    }

    /// The clients that may have something to retry.
    private func takeRetries() -> [Int] {
        let waiting = clients.values.filter { $0.retryAt != nil }
        retryAt = nil
        return waiting.map(\.number)
    }

    /// Closes all files as they are. Must be the last call.
    package func leaveAll() {
        for client in inOrder { client.leaveAll(lastTurn) }
        clients = [:]
    }

    private var inOrder: [ClientWriter] { clients.values.sorted { $0.number < $1.number } }

    private func folder(_ path: String) -> RecordingsFolder {
        let folder = folders[path] ?? RecordingsFolder(path: path, system: system)
        folders[path] = folder
        return folder
    }

    /// Carries out a command, and returns its client.
    private func obey(_ command: WriterCommand, _ now: MonotonicInstant) -> Int {
        switch command {
        case .attach(let number, let root, let floor, let report):
            clients[number] = ClientWriter(
                number: number, root: folder(root), floor: floor, engine: self, report: report)
            return number
        case .open(let id, let spec):
            clients[id.client]?.open(id, spec)
            return id.client
        case .append(let id, let item):
            if flushAt == nil { flushAt = max(item.arrival, gatheredUntil) }
            clients[id.client]?.append(item, to: id)
            return id.client
        case .sidecar(let id, let bytes):
            clients[id.client]?.setSidecar(bytes, of: id, now)
            return id.client
        case .grow(let id, let companion, let bytes):
            clients[id.client]?.append(bytes, to: companion, of: id)
            return id.client
        case .close(let id, let ending):
            clients[id.client]?.close(id, ending, now)
            return id.client
        case .resume(let id, let ending, let next, let spec):
            clients[id.client]?.resume(id, ending, in: next, spec, now)
            return id.client
        case .lend(let id):
            clients[id.client]?.lend(id)
            return id.client
        case .takeBack(let id, let checksum, let sidecar):
            clients[id.client]?.takeBack(id, checksum, sidecar, now)
            return id.client
        case .release(let id):
            clients[id.client]?.release(id)
            return id.client
        case .recover(let number, let writesSidecars, let depth, let again):
            guard let client = clients[number] else { return number }
            // Many recordings of one process may begin in one folder at once; one search is enough.
            let isRecent = !again && searched[client.rootPath].map { now - $0 < limits.searchAgain } ?? false
            if !isRecent { searched[client.rootPath] = now }
            let isThere = client.recover(searches: !isRecent, writesSidecars: writesSidecars, depth: depth, now)
            // A missing folder has not been searched: its disk may be mounted later.
            if !isThere { searched[client.rootPath] = nil }
            if clients[number]?.isRecovering == true {
                recovering.append(number)
            } else {
                client.report(.recoveryEnded)
            }
            return number
        case .giveUp(let number):
            clients[number]?.giveUp(now)
            return number
        case .detach(let number):
            clients[number]?.leaveAll(now)
            remove(number)
            return number
        }
    }

    private func remove(_ number: Int) {
        guard let client = clients.removeValue(forKey: number) else { return }
        noteLeftBehind(client)
        pending.remove(number)
        recovering.removeAll { $0 == number }
        queue.removeClient(number)
        client.report(.detached)
    }

    /// Syncs every file whose data has waited long enough. If there are many such files, one call syncs all files of a
    /// device.
    private func sync(_ now: MonotonicInstant) {
        let clients = inOrder.filter { $0.syncAt != nil }
        syncAt = nil
        defer { for client in clients { note(client) } }
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
