// SPDX-License-Identifier: MIT

/// Why a loop could not be created or started.
package struct EventLoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed and what to do about it.
    package let description: String
}

extension EventLoopError {
    /// No epoll descriptor, socket pair, eventfd or thread could be created.
    static func noDescriptors(errno number: CInt) -> EventLoopError {
        EventLoopError(
            description: "The event loop could not be made (errno \(number)): raise the limit of open files (ulimit -n)"
        )
    }

    /// The library found at run time is older than the one used at build time.
    static func oldLibrary(version: UInt32) -> EventLoopError {
        EventLoopError(
            description: "libevent \(version >> 24).\(version >> 16 & 0xff).\(version >> 8 & 0xff) is too old: "
                + "install 2.1.12 or later")
    }
}
