// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// The body of the keyboard thread: waits for keys, and for signals that stop or continue the process.
struct KeyLoop {
    let terminal: RawTerminal
    let stop: StopFlag
    let onAction: @Sendable (PlayerControls.Action) -> Void
    private var reader = KeyReader()
    /// Whether the terminal is in our mode. It is not while the process is in the background.
    private var isOurs = false
    private var hasEnded = false

    /// How often to check for a return to the foreground, in milliseconds: shells do not announce it.
    private static let backgroundPause: CInt = 1_000

    init(terminal: RawTerminal, stop: StopFlag, onAction: @escaping @Sendable (PlayerControls.Action) -> Void) {
        self.terminal = terminal
        self.stop = stop
        self.onAction = onAction
    }

    /// Blocks until `stop` is raised.
    mutating func run() {
        isOurs = terminal.enter()
        while !stop.isRaised {
            let descriptors = [
                stop.descriptor, terminal.signalDescriptor, isOurs && !hasEnded ? RawTerminal.keyboard : -1,
            ]
            var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            switch poll(&entries, nfds_t(entries.count), patience) {
            case 0: timeHasPassed()
            case 1...:
                if entries[1].revents != 0 { hearSignals() }
                if entries[2].revents != 0, isOurs { readKeys() }
            // The wait was interrupted, for example after a stop.
            default: break
            }
        }
    }

    private var patience: CInt {
        if reader.isWaiting { return CInt(KeyReader.patience.components.attoseconds / 1_000_000_000_000_000) }
        return isOurs || hasEnded ? -1 : Self.backgroundPause
    }

    private mutating func timeHasPassed() {
        if reader.isWaiting {
            if let key = reader.giveUp() { tell(key) }
        } else if !isOurs {
            takeTerminal()
        }
    }

    private mutating func hearSignals() {
        while let event = terminal.nextEvent() {
            if event == .stop {
                terminal.leave()
                isOurs = false
                terminal.stopProcess()
            }
            takeTerminal()
        }
    }

    private mutating func takeTerminal() {
        isOurs = terminal.enter()
        if isOurs { onAction(.redraw) }
    }

    private mutating func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(RawTerminal.keyboard, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 {
                hasEnded = true
            } else if errno != EINTR, errno != EAGAIN {
                // EIO: the process is in the background, or the terminal has gone.
                isOurs = false
            }
            return
        }
        for byte in buffer[..<count] {
            if let key = reader.read(byte) { tell(key) }
        }
    }

    private func tell(_ key: Key) {
        if let action = PlayKey.action(for: key) { onAction(action) }
    }
}
