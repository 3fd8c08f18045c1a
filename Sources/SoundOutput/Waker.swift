// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform

/// What ends a wait from any thread: an event counter, which is there for as long as somebody holds it.
final class Waker: Sendable {
    let counter: Descriptor

    init() throws(SystemError) {
        counter = Descriptor(owning: try systemCall { ac_open_event_counter() })
    }

    func wakeUp() {
        var one: UInt64 = 1
        _ = write(counter.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for it where there is no loop that does, or until a descriptor is readable, and says whether either came.
    func wait(milliseconds: CInt, or descriptor: CInt?) -> Bool {
        // A negative number is passed over.
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
