// SPDX-License-Identifier: MIT

import Control
import Engine
import EventLoop

/// An event for the main thread: from the engine, the keyboard or the desktop.
enum ConsoleEvent: Sendable {
    case engine(EngineEvent)
    case key(PlayerControls.Action)
    case desktop(MPRISRequest)
}

/// Runs an engine on its own loop, and delivers its events to the main thread through a queue.
struct EngineRunner {
    private let loop: EventLoop
    private let engine: Engine
    private let desktop: DesktopControls
    private let messages: MessageQueue<ConsoleEvent>

    /// Starts the loop. Engine and desktop events are posted to `messages`, which other senders may share.
    init(_ messages: MessageQueue<ConsoleEvent> = MessageQueue()) throws {
        self.messages = messages
        loop = try EventLoop(name: "loop")
        try loop.start()
        engine = Engine(loop: loop) { [messages] in messages.post(.engine($0), isNeeded: $0.isNeeded) }
        desktop = DesktopControls(loop: loop) { [messages] in messages.post(.desktop($0)) }
    }

    /// Performs the commands on the loop's thread. From then on, SIGINT, SIGTERM and SIGHUP end the session.
    func begin(_ commands: [EngineCommand], tellsSnapshots: Bool) {
        loop.post { [engine] in
            engine.assumeIsolated { engine in
                engine.stopOnSignals()
                for command in commands { engine.perform(command) }
                if tellsSnapshots { engine.tellSnapshots() }
            }
        }
    }

    /// Performs a further command.
    func perform(_ command: EngineCommand) {
        loop.post { [engine] in engine.assumeIsolated { $0.perform(command) } }
    }

    /// Shows the player's state on the desktop.
    func show(_ state: MPRISState) {
        loop.post { [desktop] in desktop.assumeIsolated { $0.show(state) } }
    }

    /// Blocks until the next event.
    func next() -> ConsoleEvent { messages.next() }

    /// Closes the engine and shuts down its loop.
    func close() {
        loop.post { [engine, desktop] in
            desktop.assumeIsolated { $0.close() }
            engine.assumeIsolated { $0.close() }
        }
        loop.shutdown()
    }
}

extension EngineEvent {
    /// Whether a command cannot end without this event. Each use causes only a few such events.
    fileprivate var isNeeded: Bool {
        switch self {
        case .listening, .ended, .idle: true
        case .recovered, .finished, .recoveryEnded, .programme, .use, .refused, .snapshot, .service: false
        }
    }
}
