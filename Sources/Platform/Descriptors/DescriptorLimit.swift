// SPDX-License-Identifier: MIT

import Glibc

/// How many descriptors the process may have open (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// The limit that is in force.
    package static var current: Int {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return fallback }
        return Int(clamping: limits.rlim_cur)
    }

    /// Raises the limit as far as the administrator lets us: the soft limit is low by default for programs that
    /// `select`, which nothing here does. Early in the process; does nothing where it fails.
    package static func raise() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(resource, &limits)
    }

    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    private static let fallback = 1024
}
