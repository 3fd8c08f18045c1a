// SPDX-License-Identifier: MIT

package import Instants
import Platform

/// The result of appending data.
package enum Appended: Hashable, Sendable {
    case queued
    /// Queued; a source that can wait should pause until ``WriterReport/drained``.
    case aboveHighWater
    /// The queue is full: the data is lost, and the caller should note a dated gap.
    case refused
}

/// The bounded queue between the loop and the writer's thread.
///
/// Sendable: a single monitor protects everything. Data counts from its append until it is in a file.
package final class WriterQueue: Sendable {
    package let limits: WriterLimits
    private let clock: @Sendable () -> MonotonicInstant
    private let monitor = Monitor(State())

    /// `clock` is read for each append; it must be the clock that drives ``WriterEngine/turn(now:)``.
    package init(
        limits: WriterLimits = WriterLimits(), clock: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.read
    ) {
        self.limits = limits
        self.clock = clock
    }

    private struct State {
        var commands: [WriterCommand] = []
        /// Whether `commands` contains anything other than data.
        var hasOrders = false
        /// Bytes of data in `commands`.
        var waitingBytes = 0
        /// Bytes of all clients that are not in any file yet.
        var totalBytes = 0
        var accounts: [Int: Account] = [:]
        /// The clients with data or endings of files in `commands`.
        var fresh: [Int] = []
        var lastNumber = 0
        /// The figures, except ``WriterFigures/waitingBytes``.
        var figures = WriterFigures()
        var isClosed = false
        /// Whether the thread sleeps without expecting data, so that ``flush()`` must wake it.
        var wakesForData = false

        /// A client with an empty queue may always append, so that no client is blocked for good.
        func hasRoom(for count: Int, in account: Account, _ now: MonotonicInstant, _ limits: WriterLimits) -> Bool {
            guard account.bytes > 0 else { return true }
            // While some data reaches the disk at least every `clientAge`, the disk is only slow, so the client may go
            // on waiting for it.
            return account.waited(until: now) < limits.clientAge && account.bytes + count <= limits.clientBytes
                && totalBytes + count <= limits.totalBytes
        }

        mutating func order(_ command: WriterCommand) {
            if case .close(let file, _) = command, let account = accounts[file.client] {
                account.endingsHere += 1
                fresh.append(file.client)
            }
            commands.append(command)
            hasOrders = true
        }

        mutating func push(_ item: WriterItem, to file: FileID) {
            waitingBytes += item.count
            if let last = commands.last, case .append(file, var data) = last, data.absorb(item) {
                commands[commands.count - 1] = .append(file, data)
            } else {
                commands.append(.append(file, item))
            }
        }

        mutating func takeAll() -> [WriterCommand] {
            var taken: [WriterCommand] = []
            swap(&taken, &commands)
            hasOrders = false
            waitingBytes = 0
            for client in fresh { accounts[client]?.moveToEngine() }
            fresh = []
            return taken
        }
    }

    /// One client's data in the queue and in the engine. A class, because a dictionary's values are expensive to change
    /// in place.
    private final class Account {
        var bytes = 0
        /// The totals of the frames in `bytes`.
        var waiting = FrameTotals()
        /// The time at which the oldest data in `commands` was appended, and the time at which the oldest data held by
        /// the engine was appended.
        var oldestHere: MonotonicInstant?
        var oldestThere: MonotonicInstant?
        /// The number of files to be completed: ordered in `commands`, and held by the engine.
        var (endingsHere, endingsThere) = (0, 0)
        var endings: Int { endingsHere + endingsThere }
        /// When data last reached a file.
        var settledAt: MonotonicInstant?
        /// Whether each append is answered with ``Appended/aboveHighWater``.
        var isAboveHighWater = false

        /// Whether a source that can wait should pause if it may do so at this many bytes.
        func isBehind(at bytes: Int, _ now: MonotonicInstant, _ limits: WriterLimits) -> Bool {
            self.bytes >= bytes || endings >= limits.mostEndings || waited(until: now) >= limits.pauseAge
        }

        /// How long the client's data has now waited without any of it reaching the disk.
        func waited(until now: MonotonicInstant) -> Duration {
            (oldestThere ?? oldestHere).map { now - max($0, settledAt ?? $0) } ?? .zero
        }

        /// Counts what `commands` held as held by the engine, which has taken it.
        func moveToEngine() {
            oldestThere = oldestThere ?? oldestHere
            oldestHere = nil
            endingsThere += endingsHere
            endingsHere = 0
        }
    }

    // MARK: Figures

    /// Counts all syncs of a turn as one sync, which began at `start`.
    func noteSync(since start: MonotonicInstant) {
        let time = clock() - start
        monitor.withLock { state in
            state.figures.syncs += 1
            state.figures.syncTime += time
            state.figures.longestSync = max(state.figures.longestSync, time)
        }
    }

    /// The time of the clock that drives the thread.
    func readClock() -> MonotonicInstant { clock() }

    // MARK: The loop's side

    func makeClient(
        root: String, floor: FreeSpaceFloor = .none, report: @escaping @Sendable (WriterReport) -> Void
    ) -> Int {
        let client = monitor.withLock { state in
            state.lastNumber += 1
            state.accounts[state.lastNumber] = Account()
            state.order(.attach(client: state.lastNumber, root: root, floor: floor, report: report))
            return state.lastNumber
        }
        monitor.signal()
        return client
    }

    /// The figures of the thread. Any thread may read them.
    package var figures: WriterFigures {
        monitor.withLock { state in
            var figures = state.figures
            figures.waitingBytes = state.totalBytes
            return figures
        }
    }

    func makeFile(of client: Int) -> FileID {
        monitor.withLock { state in
            state.lastNumber += 1
            return FileID(client: client, number: state.lastNumber)
        }
    }

    func send(_ command: WriterCommand) {
        monitor.withLock { $0.order(command) }
        monitor.signal()
    }

    func append(
        _ payload: WriterItem.Payload, to file: FileID, frames: Int, frameBytes: Int, samples: Int64,
        at: WallInstant? = nil
    ) -> Appended {
        let item = WriterItem(
            payload: payload, frames: frames, frameBytes: frameBytes, samples: samples, arrival: clock(), at: at)
        let count = item.count
        let (result, mustWake) = monitor.withLock { state -> (Appended, Bool) in
            guard let account = state.accounts[file.client], !state.isClosed else { return (.refused, false) }
            guard state.hasRoom(for: count, in: account, item.arrival, limits) else { return (.refused, false) }
            account.bytes += count
            account.waiting += item.totals
            if account.oldestHere == nil {
                account.oldestHere = item.arrival
                state.fresh.append(file.client)
            }
            if account.isBehind(at: limits.highWater, item.arrival, limits) { account.isAboveHighWater = true }
            state.totalBytes += count
            let before = state.waitingBytes
            state.push(item, to: file)
            let isBatch = before < limits.batch && state.waitingBytes >= limits.batch
            return (account.isAboveHighWater ? .aboveHighWater : .queued, isBatch)
        }
        if mustWake { monitor.signal() }
        return result
    }

    /// Wakes the thread for appended data, unless the thread will look for it without being woken.
    func flush() {
        let mustWake = monitor.withLock { state in
            // Without data, leave the flag set: the thread continues to sleep, and the next data must wake it.
            guard state.wakesForData, !state.commands.isEmpty else { return false }
            state.wakesForData = false
            return true
        }
        if mustWake { monitor.signal() }
    }

    /// Whether ``append(_:to:frames:frameBytes:samples:)`` would accept `count` bytes now.
    func hasRoom(for count: Int, of client: Int) -> Bool {
        let now = clock()
        return monitor.withLock { state in
            guard let account = state.accounts[client], !state.isClosed else { return false }
            return state.hasRoom(for: count, in: account, now, limits)
        }
    }

    /// How long a client's data has now waited without any of it reaching the disk.
    func waited(by client: Int) -> Duration {
        let now = clock()
        return monitor.withLock { $0.accounts[client]?.waited(until: now) ?? .zero }
    }

    /// The totals of a client's frames that are not in any file yet.
    func waiting(of client: Int) -> FrameTotals {
        monitor.withLock { $0.accounts[client]?.waiting ?? FrameTotals() }
    }

    /// Ends the thread once it has carried out all earlier commands.
    func close() {
        monitor.withLock { $0.isClosed = true }
        monitor.signal()
    }

    // MARK: The thread's side

    /// Blocks until there is something to do, and takes all commands; nil once the queue is closed and empty.
    ///
    /// While gathering, the deadline is when data must be written, and less than a batch of data does not end the wait.
    func take(until deadline: MonotonicInstant?, isGathering: Bool) -> [WriterCommand]? {
        let taken: [WriterCommand]?? = monitor.wait(until: deadline) { state in
            if state.isClosed && state.commands.isEmpty { return .some(nil) }
            if state.isClosed || state.hasOrders || state.waitingBytes >= self.limits.batch
                || (!isGathering && !state.commands.isEmpty)
            {
                state.wakesForData = false
                return state.takeAll()
            }
            state.wakesForData = !isGathering
            return nil
        }
        guard let taken else { return takeAll() }
        return taken
    }

    /// Takes all present commands, without blocking.
    func takeAll() -> [WriterCommand] {
        monitor.withLock { state in
            state.wakesForData = false
            return state.takeAll()
        }
    }

    /// Subtracts data that has reached a file or been dropped.
    func settle(_ bytes: Int, _ totals: FrameTotals, of client: Int) {
        let now = clock()
        monitor.withLock { state in
            state.totalBytes -= bytes
            guard let account = state.accounts[client] else { return }
            account.bytes -= bytes
            account.waiting -= totals
            account.settledAt = now
        }
    }

    /// Sets what the engine holds of a client: when the oldest of its data was appended, and how many of its files are
    /// to be completed. Returns whether the client has just drained.
    func setBacklog(oldest: MonotonicInstant?, endings: Int, of client: Int) -> Bool {
        monitor.withLock { state in
            guard let account = state.accounts[client] else { return false }
            (account.oldestThere, account.endingsThere) = (oldest, endings)
            guard account.isAboveHighWater else { return false }
            account.isAboveHighWater = account.isBehind(at: limits.lowWater + 1, clock(), limits)
            return !account.isAboveHighWater
        }
    }

    func removeClient(_ client: Int) {
        monitor.withLock { state in
            guard let account = state.accounts.removeValue(forKey: client) else { return }
            state.totalBytes -= account.bytes
        }
    }
}
