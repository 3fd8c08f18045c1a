// SPDX-License-Identifier: MIT

import Platform

/// The thread that writes the files of all segments: a ``WriterQueue`` in front of a ``WriterEngine``.
///
/// Sendable; the engine exists only on the thread. After ``shutDown()`` the thread ends eventually, and nothing waits
/// for it: it may hang in a call to a disk that does not answer.
package final class WriterThread: Sendable {
    package let queue: WriterQueue

    /// Starts the thread.
    package init(
        limits: WriterLimits = WriterLimits(), system: any FileSystemCalls = LinuxFileSystem()
    )
        throws(StorageError)
    {
        let queue = WriterQueue(limits: limits)
        self.queue = queue
        do throws(SystemError) {
            try WorkerThread.start(name: "writer") { Self.run(queue, system) }
        } catch {
            throw StorageError(error, .create, "the writer's thread")
        }
    }

    /// See ``WriterQueue/close()``. Leaves files that are still open as they are.
    package func shutDown() {
        queue.close()
    }

    private static func run(_ queue: WriterQueue, _ system: any FileSystemCalls) {
        let engine = WriterEngine(queue: queue, system: system)
        while let commands = queue.take(until: engine.deadline, isGathering: engine.isGathering) {
            engine.act(commands, now: .read())
        }
        engine.leaveAll()
    }
}
