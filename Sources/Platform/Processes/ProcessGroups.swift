// SPDX-License-Identifier: MIT

import Glibc

/// The process groups of all running programs. The kernel kills a program with this process, but not the processes that
/// the program has started. Thread-safe.
enum ProcessGroups {
    private static let running = Monitor<Set<pid_t>>([])

    static func add(_ id: pid_t) { running.withLock { _ = $0.insert(id) } }

    /// Call it before the program is reaped: until then, no other group can have its ID.
    static func remove(_ id: pid_t) { running.withLock { _ = $0.remove(id) } }

    static func killAll() {
        running.withLock { for id in $0 { kill(-id, SIGKILL) } }
    }
}
