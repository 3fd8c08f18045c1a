// SPDX-License-Identifier: MIT

import Glibc

/// An owned descriptor that is watched for reading until ``close()`` or deinit. Both end the watch first, and then
/// close the descriptor, once.
package final class OwnedDescriptor {
    private let descriptor: CInt
    private var watch: (any SocketWatch)?

    /// Takes ownership of a non-blocking descriptor and starts watching it. Calls `onReadable` with it when there is
    /// data, an end or an error to read. `onReadable` may close or release this object.
    package init(_ descriptor: CInt, reactor: any Reactor, onReadable: @escaping (CInt) -> Void) {
        self.descriptor = descriptor
        watch = reactor.watch(descriptor) { _ in onReadable(descriptor) }
        watch?.interest = .read
    }

    deinit { close() }

    /// Idempotent.
    package func close() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        Glibc.close(descriptor)
    }
}
