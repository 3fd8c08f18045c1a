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

    /// Waits for it where there is no loop that does, and says whether it came.
    func wait(milliseconds: CInt) -> Bool {
        var watched = pollfd(fd: counter.number, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) > 0 else { return false }
        var count: UInt64 = 0
        return read(counter.number, &count, MemoryLayout<UInt64>.size) > 0
    }
}
