// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform

/// Ends a wait from any thread: an event counter (eventfd), which stays open for as long as anything holds the waker.
final class Waker: Sendable {
    let counter: Descriptor

    init() throws(SystemError) {
        counter = Descriptor(owning: try systemCall { ac_open_event_counter() })
    }

    func wakeUp() {
        var one: UInt64 = 1
        _ = write(counter.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Blocks until a wake-up, until `descriptor` is readable, or until the timeout (for ever if negative). Returns
    /// true after a wake-up or if `descriptor` is readable, and false after the timeout. For use without a
    /// ``PulseLoop``.
    func wait(milliseconds: CInt, or descriptor: CInt?) -> Bool {
        // poll(2) ignores a negative descriptor.
        var watched = (
            pollfd(fd: counter.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        )
        let ready = withUnsafeMutablePointer(to: &watched) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, milliseconds) }
        }
        guard ready > 0 else { return false }
        var count: UInt64 = 0
        let wasWoken = read(counter.number, &count, MemoryLayout<UInt64>.size) > 0
        return wasWoken || watched.1.revents != 0
    }
}
