// SPDX-License-Identifier: MIT

import Instants
import Platform

/// The keyboard, as commands for a player: a thread that reads it, and the terminal in the mode for that until
/// ``close()``.
///
/// Made on the main thread before the engine's loop (see ``RawTerminal``), and closed there after it.
struct KeyThread {
    private let terminal: RawTerminal
    private let stop: StopFlag
    private let thread: WorkerThread

    /// Nil where there is no keyboard. Commands come on the thread of the keyboard, which must not be held up.
    init?(_ onCommand: @escaping @Sendable (KeyCommand) -> Void) {
        guard let terminal = RawTerminal() else { return nil }
        do throws(SystemError) {
            let stop = try StopFlag()
            self.stop = stop
            thread = try WorkerThread.start(name: "keys") {
                var loop = KeyLoop(terminal: terminal, stop: stop, onCommand: onCommand)
                loop.run()
            }
        } catch {
            // Keys are a comfort: without them it plays as well.
            terminal.letSignalsCome()
            return nil
        }
        self.terminal = terminal
    }

    /// Leaves the terminal as it was. Once.
    func close() {
        stop.raise()
        // It may hang in a terminal that has hung up.
        _ = thread.join(until: .read() + .milliseconds(500))
        terminal.leave()
        terminal.letSignalsCome()
    }
}
