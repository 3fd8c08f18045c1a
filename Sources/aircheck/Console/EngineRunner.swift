// SPDX-License-Identifier: MIT

import Control
import Engine
import EventLoop

/// What the main thread hears: the engine, and whoever holds the controls.
enum ConsoleEvent: Sendable {
    case engine(EngineEvent)
    case key(KeyCommand)
    case desktop(MPRISRequest)
}

/// An engine on a loop of its own, and the mailbox through which it speaks to the main thread.
struct EngineRunner {
    private let loop: EventLoop
    private let engine: Engine
    private let desktop: DesktopControls
    private let mailbox: Mailbox<ConsoleEvent>

    /// What happens comes into this mailbox, beside what others put there.
    init(_ mailbox: Mailbox<ConsoleEvent> = Mailbox()) throws {
        self.mailbox = mailbox
        loop = try EventLoop(name: "loop")
        try loop.start()
        engine = Engine(loop: loop) { [mailbox] in mailbox.post(.engine($0), isNeeded: $0.isNeeded) }
        desktop = DesktopControls(loop: loop) { [mailbox] in mailbox.post(.desktop($0)) }
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

    /// Has the engine do something more.
    func perform(_ command: EngineCommand) {
        loop.post { [engine] in engine.assumeIsolated { $0.perform(command) } }
    }

    /// Shows the desktop how a player stands.
    func show(_ state: MPRISState) {
        loop.post { [desktop] in desktop.assumeIsolated { $0.show(state) } }
    }

    /// Waits for what the engine has to say, or somebody at the controls.
    func next() -> ConsoleEvent { mailbox.next() }

    /// Ends the engine and its loop.
    func close() {
        loop.post { [engine, desktop] in
            desktop.assumeIsolated { $0.close() }
            engine.assumeIsolated { $0.close() }
        }
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
