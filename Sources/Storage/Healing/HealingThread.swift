// SPDX-License-Identifier: MIT

package import Instants
import Platform
package import RadioCore

/// Heals the files of all recordings of a process, one after the other, on a thread of its own: a file is copied, which
/// may take a minute on a slow disk. The thread begins with the first file.
package final class HealingThread: Sendable {
    /// A file, and what is to be put into it.
    package struct Order: Sendable {
        /// The recordings folder.
        var root: String
        var segment: LibrarySegment
        /// The number of the file's frame before which the audio belongs.
        var frame: Int64
        var piece: FoundPiece
        /// The space that is kept free on the disk.
        var floor: FreeSpaceFloor

        package init(
            root: String, _ segment: LibrarySegment, before frame: Int64, _ piece: FoundPiece, floor: FreeSpaceFloor
        ) {
            (self.root, self.segment, self.frame) = (root, segment, frame)
            (self.piece, self.floor) = (piece, floor)
        }
    }

    /// Whether an order is still wanted, as long as it has not been carried out.
    package final class OrderState: Sendable {
        private enum State { case wanted, unwanted, underWay }

        private let state = Monitor(State.wanted)

        package init() {}

        /// Takes the order back. Returns false if it is too late: the file is getting its new frames.
        package func cancel() -> Bool {
            state.withLock { state in
                if state == .wanted { state = .unwanted }
                return state == .unwanted
            }
        }

        /// The last moment at which the order can be taken back. Returns false if it has been.
        func begin() -> Bool {
            state.withLock { state in
                if state == .wanted { state = .underWay }
                return state == .underWay
            }
        }

        var isWanted: Bool { state.withLock { $0 != .unwanted } }
    }

    private let system: any FileSystemCalls
    private let runner: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    private let thread = Monitor<JobThread?>(nil)

    /// `runner`: runs the jobs instead of a thread, for tests; returns false if it cannot.
    package init(
        system: any FileSystemCalls = LinuxFileSystem(),
        runner: (@Sendable (@escaping @Sendable () -> Void) -> Bool)? = nil
    ) {
        (self.system, self.runner) = (system, runner)
    }

    /// Heals within the call, for tests without threads.
    package static func direct(_ system: any FileSystemCalls) -> HealingThread {
        HealingThread(system: system) { job in
            job()
            return true
        }
    }

    /// Puts audio into a file, and then calls `done` on the thread with the segment as it is then. `now`: when the
    /// order was given. Returns false if there is no thread.
    package func heal(
        _ order: Order, _ state: OrderState, now: WallInstant,
        done: @escaping @Sendable (Result<LibrarySegment, RecordingHealer.Problem>) -> Void
    ) -> Bool {
        let job: @Sendable () -> Void = { [system] in done(Self.run(order, state, now, system)) }
        if let runner { return runner(job) }
        let thread = thread.withLock { thread in
            if thread == nil { thread = try? JobThread(name: "healing", most: Self.mostOrders) }
            return thread
        }
        return thread?.run(job) ?? false
    }

    private static func run(
        _ order: Order, _ state: OrderState, _ now: WallInstant, _ system: any FileSystemCalls
    ) -> Result<LibrarySegment, RecordingHealer.Problem> {
        guard state.isWanted else { return .failure(.inUse) }
        do throws(RecordingHealer.Problem) {
            try checkRoom(for: order, system)
            let healer = RecordingHealer(path: order.root, system: system)
            return .success(
                try healer.heal(
                    order.segment, before: order.frame, with: frames(of: order, system), now: now,
                    mayBegin: { state.begin() }))
        } catch {
            return .failure(error)
        }
    }

    /// The frames to be put in. Those that are not in memory lie beside the file.
    private static func frames(of order: Order, _ system: any FileSystemCalls) -> FoundFrames {
        guard order.piece.parts.contains(where: { $0.audio == nil }) else { return FoundFrames(order.piece) }
        let folder = try? RecordingsFolder(path: order.root, system: system).openExisting(order.segment.folders)
        defer { if let folder { system.close(folder) } }
        return FoundFrames(
            order.piece, folder.flatMap { SavedAudioFile(of: order.segment.base, in: $0, system) })
    }

    /// Throws if the second file that is needed for a while would use space that has to stay free.
    private static func checkRoom(
        for order: Order, _ system: any FileSystemCalls
    ) throws(RecordingHealer.Problem) {
        guard order.floor != .none else { return }
        do throws(SystemError) {
            let folder = try RecordingsFolder(path: order.root, system: system).openExisting(order.segment.folders)
            defer { system.close(folder) }
            let space = try system.space(of: folder)
            let size = (order.segment.audio?.bytes ?? 0) + Int64(order.piece.size)
            guard !order.floor.admits(free: space.free - size, diskSize: space.size, isStopped: false) else { return }
        } catch {
            throw .changed
        }
        throw .storage(StorageError(code: .keptFree, action: .write, path: order.segment.path.joined(separator: "/")))
    }

    private static let mostOrders = 10_000
}
