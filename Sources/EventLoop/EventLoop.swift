// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// A libevent loop: a thread that runs timers, sockets, signals, posted closures and the jobs of actors.
///
/// Thread-safe; everything else of the loop is confined to its thread. An actor runs on the loop by naming it as its
/// executor (see ``LoopActor``). Plain classes that are not Sendable belong to such an actor and are given the
/// ``Reactor``.
///
/// A turn waits for events, and runs the handlers of timers, sockets and signals. It then runs the calls that the
/// handlers deferred, up to 4,096 items of the inbox (posted closures and jobs of actors), and the calls that those
/// items deferred. Only an event or a post wakes the loop.
///
/// A loop is created, then run on its own thread (``start()``) or on the caller's thread (``run()``), and ended by
/// ``shutdown()``, which must precede the release of the last reference. Items queued at shutdown still run; see
/// ``shutdown()``.
package final class EventLoop: SerialExecutor, Sendable {
    /// The name of the thread, of which the kernel shows the first 15 bytes.
    package let name: String

    private let thread = LoopThread()
    private let inbox: Inbox
    private let control = Mutex(Control())

    /// Not Sendable. Proof: `init` creates it before another thread can see it; afterwards only the thread that
    /// `thread` names touches it (`reactor` and `runUntilClosed` check), until `deinit`, which has exclusive access
    /// again.
    nonisolated(unsafe) private let libeventReactor: LibeventReactor

    private struct Control {
        var hasRun = false
        /// The thread of `start()`, until it has been joined.
        var ownThread: pthread_t?
    }

    /// The maximum number of inbox items per turn, so that a flood of posts does not starve the sockets.
    private static let batchLimit = 4096

    /// Creates a loop that does not run yet, but accepts posts.
    ///
    /// From now on the whole process ignores SIGPIPE: a closed peer becomes an error of `write`.
    package init(name: String = "loop") throws(EventLoopError) {
        signal(SIGPIPE, SIG_IGN)
        self.name = name
        libeventReactor = try LibeventReactor(thread: thread)
        inbox = libeventReactor.inbox
    }

    deinit {
        assert(inbox.isClosed, "EventLoop \(name) was dropped without shutdown()")
        // The loop was shut down from its own thread, so nobody has joined that thread. This `deinit` may run on it.
        if let ownThread = control.withLock({ $0.ownThread }) { pthread_detach(ownThread) }
    }

    /// Whether the caller runs on the loop's thread.
    package var isOnLoop: Bool { thread.isCurrent }

    /// Traps unless the caller runs on the loop's thread.
    package func preconditionOnLoop() {
        precondition(thread.isCurrent, "must be on the thread of EventLoop \(name)")
    }

    /// The loop's timers, sockets, deferred calls and signals. Accessible on the loop only.
    package var reactor: any Reactor {
        preconditionOnLoop()
        return libeventReactor
    }

    /// Runs `call` on the loop, after everything posted before. Thread-safe, never blocks.
    ///
    /// Calls posted by one thread run in the order of posting. Posting after the end of ``shutdown()`` is a programming
    /// error: it traps in debug builds; otherwise it prints a line on standard error and drops the call.
    package func post(_ call: @escaping @Sendable () -> Void) {
        put(.call(call))
    }

    /// Runs the loop on its own thread, which gets the loop's name.
    package func start() throws(EventLoopError) {
        beginRun()
        var ownThread = pthread_t()
        // The thread retains the loop until the loop has closed.
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(&ownThread, nil, runOwnThread, context)
        guard result == 0 else {
            Unmanaged<EventLoop>.fromOpaque(context).release()
            control.withLock { $0.hasRun = false }
            throw .noDescriptors(errno: result)
        }
        control.withLock { $0.ownThread = ownThread }
    }

    /// Runs the loop on the calling thread, blocking until it has been shut down.
    package func run() {
        beginRun()
        runUntilClosed()
    }

    /// Shuts the loop down for good. Thread-safe and idempotent.
    ///
    /// From then on no timer, socket or signal calls back. All queued and deferred work runs, including work that it
    /// queues in turn (an actor's jobs are never dropped), then the loop closes. Called on another thread, this returns
    /// when the loop's own thread has ended; called on the loop, or for a loop in ``run()``, it returns at once. The
    /// queue of a loop that never ran is run on the calling thread.
    package func shutdown() {
        inbox.close()
        guard !isOnLoop else { return }
        let (mustRun, ownThread) = control.withLock { control in
            defer { (control.hasRun, control.ownThread) = (true, nil) }
            return (!control.hasRun, control.ownThread)
        }
        if mustRun { runUntilClosed() }
        if let ownThread { pthread_join(ownThread, nil) }
    }

    func put(_ item: Inbox.Item) {
        if !inbox.put(item) { reportLatePost() }
    }

    private func beginRun() {
        let isFirst = control.withLock { control in
            defer { control.hasRun = true }
            return !control.hasRun
        }
        precondition(isFirst, "EventLoop \(name) runs only once")
    }

    fileprivate func runUntilClosed() {
        thread.adopt()
        defer { thread.leave() }
        var batch: [Inbox.Item] = []
        var position = 0
        while true {
            switch inbox.nextStep(hasWork: !batch.isEmpty || libeventReactor.hasDeferred) {
            case .wait: libeventReactor.turn(wait: true)
            case .poll: libeventReactor.turn(wait: false)
            case .drain: break
            case .leave: return
            }
            libeventReactor.runDeferred()
            if batch.isEmpty { inbox.take(into: &batch) }
            let end = min(batch.count, position + Self.batchLimit)
            while position < end {
                run(batch[position])
                position += 1
            }
            if position == batch.count {
                // Release what the items retain before the loop waits. If a flood of posts has made the storage large,
                // give it back.
                batch.removeAll(keepingCapacity: batch.capacity <= Self.batchLimit)
                position = 0
            }
            libeventReactor.runDeferred()
        }
    }

    private func run(_ item: Inbox.Item) {
        switch item {
        case .call(let call): call()
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    private func reportLatePost() {
        assertionFailure("EventLoop \(name): posted to after its shutdown")
        let text = "fault: EventLoop \(name): posted to after its shutdown; the call was dropped\n"
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }
}

/// The body of a loop's own thread (`pthread_create`); the context is a retained loop.
private func runOwnThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
    ac_name_thread(loop.name)
    loop.runUntilClosed()
    return nil
}
