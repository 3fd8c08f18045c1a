// SPDX-License-Identifier: MIT

import Instants
import Platform

/// Reads player commands from the keyboard on its own thread. Until ``close()``, the terminal delivers single keys
/// without echo.
///
/// Must be created on the main thread before the engine's loop (see ``RawTerminal``), and closed there after the loop.
struct KeyThread {
    private let terminal: RawTerminal
    private let stop: StopFlag
    private let thread: WorkerThread

    /// Nil if there is no keyboard. `onAction` is called on the keyboard thread and must not block.
    init?(_ onAction: @escaping @Sendable (PlayerControls.Action) -> Void) {
        guard let terminal = RawTerminal() else { return nil }
        do throws(SystemError) {
            let stop = try StopFlag()
            self.stop = stop
            thread = try WorkerThread.start(name: "keys") {
                var loop = KeyLoop(terminal: terminal, stop: stop, onAction: onAction)
                loop.run()
            }
        } catch {
            // Keys are optional: playback works without them.
            terminal.letSignalsCome()
            return nil
        }
        self.terminal = terminal
    }

    /// Restores the terminal. Must be called once.
    func close() {
        stop.raise()
        // The thread may be blocked on a terminal that has hung up.
        _ = thread.join(until: .read() + .milliseconds(500))
        terminal.leave()
        terminal.letSignalsCome()
    }
}
