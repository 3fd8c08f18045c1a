// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// A libevent loop: one thread that runs timers, sockets, signals, posted closures and the jobs of actors.
///
/// Thread-safe; everything else that has to do with the loop is confined to its thread. An actor lives on the loop by
/// naming it as its executor (see ``LoopActor``), and plain classes that are not Sendable live below such an actor
/// and get the ``Reactor``.
///
/// A turn is: wait for events, call back timers, sockets and signals, run what they deferred, run up to 4,096 items of
/// the inbox, run what those deferred. Nothing wakes the loop but an event or a post.
///
/// Life: made, then run on a thread of its own (``start()``) or on the caller's (``run()``), then ``shutdown()``, which
/// must come before the last reference goes. What was queued at shutdown still runs; see there.
package final class EventLoop: SerialExecutor, Sendable {
    /// Names the thread; the kernel shows the first 15 bytes.
    package let name: String

    private let thread = LoopThread()
    private let inbox: Inbox
    private let control = Mutex(Control())

    /// Not Sendable. Proof: it is made in `init`, before another thread can know of it; afterwards only the thread that
    /// `thread` names touches it (`reactor` and `runUntilClosed` check), until `deinit`, which is alone again.
    nonisolated(unsafe) private let libeventReactor: LibeventReactor

    private struct Control {
        var hasRun = false
        /// The thread of `start()`, until somebody has joined it.
        var ownThread: pthread_t?
    }

    /// Items of the inbox that one turn runs at most, so that a flood of posts does not starve the sockets.
    private static let batchLimit = 4096

    /// Makes a loop; it does not run yet, but may be posted to.
    ///
    /// SIGPIPE is ignored from here on in the whole process: a peer that closes its socket is an error of `write`.
    package init(name: String = "loop") throws(EventLoopError) {
        signal(SIGPIPE, SIG_IGN)
        self.name = name
        libeventReactor = try LibeventReactor(thread: thread)
        inbox = libeventReactor.inbox
    }

    deinit {
        assert(inbox.isClosed, "EventLoop \(name) was dropped without shutdown()")
        // Shut down from the loop itself, so that nobody has joined; it may be this very thread.
        if let ownThread = control.withLock({ $0.ownThread }) { pthread_detach(ownThread) }
    }

    /// Whether the caller runs on the loop's thread.
    package var isOnLoop: Bool { thread.isCurrent }

    /// Stops the process unless the caller runs on the loop's thread.
    package func preconditionOnLoop() {
        precondition(thread.isCurrent, "must be on the thread of EventLoop \(name)")
    }

    /// The loop's inside: timers, sockets, deferred calls, signals. To be had on the loop only.
    package var reactor: any Reactor {
        preconditionOnLoop()
        return libeventReactor
    }

    /// Runs `call` on the loop, after everything that was posted before. Thread-safe, never blocks.
    ///
    /// Calls of one thread run in its order. To post after ``shutdown()`` has ended is a mistake of the caller: a trap
    /// in debug builds, a line on standard error otherwise, and the call is dropped.
    package func post(_ call: @escaping @Sendable () -> Void) {
        put(.call(call))
    }

    /// Runs the loop on a thread of its own, with the loop's name.
    package func start() throws(EventLoopError) {
        beginRun()
        var ownThread = pthread_t()
        // The thread holds the loop until it has closed.
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(&ownThread, nil, runOwnThread, context)
        guard result == 0 else {
            Unmanaged<EventLoop>.fromOpaque(context).release()
            control.withLock { $0.hasRun = false }
            throw .noDescriptors(errno: result)
        }
        control.withLock { $0.ownThread = ownThread }
    }

    /// Runs the loop on the calling thread until it has been shut down.
    package func run() {
        beginRun()
        runUntilClosed()
    }

    /// Shuts the loop down, for good. Thread-safe, and idempotent.
    ///
    /// From then on no timer, socket or signal calls back. Everything that is queued in the inbox or deferred runs,
    /// also what that work queues in turn (an actor's jobs are never dropped), then the loop closes. Called from
    /// another thread, it returns when the loop's own thread has ended; called on the loop, or for a loop in ``run()``,
    /// it returns at once. A loop that never ran runs its queue on the calling thread.
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
                // What the items held is let go before the loop waits; the room of a flood is not kept.
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
