// SPDX-License-Identifier: MIT

import Glibc

/// The process groups of all running programs, so that a whole group can be killed. When this process dies, the kernel
/// kills the programs that it has started, but not the processes that those have started. Thread-safe.
enum ProcessGroups {
    private static let running = Monitor<Set<pid_t>>([])

    static func add(_ id: pid_t) { running.withLock { _ = $0.insert(id) } }

    /// Call it before the program is reaped: until then, no other group can have its ID.
    static func remove(_ id: pid_t) { running.withLock { _ = $0.remove(id) } }

    static func killAll() {
        running.withLock { for id in $0 { kill(-id, SIGKILL) } }
    }
}
