// SPDX-License-Identifier: MIT

import Engine
import EventLoop

/// An engine on a loop of its own, and the mailbox through which it speaks to the main thread.
struct EngineRunner<Event: Sendable> {
    private let loop: EventLoop
    private let engine: Engine
    private let mailbox = Mailbox<Event>()

    init() throws {
        loop = try EventLoop(name: "loop")
        try loop.start()
        engine = Engine(loop: loop)
    }

    /// Begins the work on the loop's thread; SIGINT, SIGTERM and SIGHUP stop it from now on.
    func begin(_ work: @escaping @Sendable (isolated Engine, @escaping @Sendable (Event) -> Void) -> Void) {
        loop.post { [engine, mailbox] in
            engine.assumeIsolated { engine in
                engine.stopOnSignals()
                work(engine) { mailbox.post($0) }
            }
        }
    }

    /// Waits for what the engine has to say.
    func next() -> Event { mailbox.next() }

    /// Ends the engine and its loop.
    func close() {
        loop.post { [engine] in engine.assumeIsolated { $0.close() } }
        loop.shutdown()
    }
}
