// SPDX-License-Identifier: MIT

import Glibc

/// A port of 127.0.0.1 that refuses connections for as long as the object lives.
///
/// Another test could take a port that is merely free.
package final class ClosedPort: Sendable {
    package let number: Int
    private let descriptor: CInt

    package init() throws {
        descriptor = try Loopback.bind(port: 0)
        number = try Loopback.port(of: descriptor)
    }

    deinit { close(descriptor) }
}
