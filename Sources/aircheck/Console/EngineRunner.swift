// SPDX-License-Identifier: MIT

import Engine
import EventLoop

/// An engine on a loop of its own, and the mailbox through which it speaks to the main thread.
struct EngineRunner {
    private let loop: EventLoop
    private let engine: Engine
    private let mailbox = Mailbox<EngineEvent>()

    init() throws {
        loop = try EventLoop(name: "loop")
        try loop.start()
        engine = Engine(loop: loop) { [mailbox] in mailbox.post($0, isNeeded: $0.isNeeded) }
    }

    /// Begins the work on the loop's thread; SIGINT, SIGTERM and SIGHUP end it from now on.
    func begin(_ commands: [EngineCommand], tellsSnapshots: Bool) {
        loop.post { [engine] in
            engine.assumeIsolated { engine in
                engine.stopOnSignals()
                for command in commands { engine.perform(command) }
                if tellsSnapshots { engine.tellSnapshots() }
            }
        }
    }

    /// Waits for what the engine has to say.
    func next() -> EngineEvent { mailbox.next() }

    /// Ends the engine and its loop.
    func close() {
        loop.post { [engine] in engine.assumeIsolated { $0.close() } }
        loop.shutdown()
    }
}

extension EngineEvent {
    /// Whether a command cannot end without it; there are few of these for each use.
    fileprivate var isNeeded: Bool {
        switch self {
        case .listening, .notListening, .ended, .idle: true
        case .programme, .use, .refused, .snapshot: false
        }
    }
}
