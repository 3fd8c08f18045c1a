// SPDX-License-Identifier: MIT

import Glibc

/// The maximum number of open descriptors of this process (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// The current soft limit; 1024 if it cannot be read.
    package static var current: Int {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return fallback }
        return Int(clamping: limits.rlim_cur)
    }

    /// Raises the soft limit to the hard limit. The soft limit is low by default for the sake of programs that use
    /// `select`, which this program does not. Call it early in the process. Does nothing on failure.
    package static func raise() {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(resource, &limits)
    }

    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    private static let fallback = 1024
}
