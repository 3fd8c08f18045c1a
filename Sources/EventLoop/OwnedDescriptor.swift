// SPDX-License-Identifier: MIT

import Glibc

/// A descriptor of one's own that is watched for reading, until ``close()`` or the end of the object: then it is
/// watched no more and closed, in this order and once. Confined to the loop's thread.
package final class OwnedDescriptor {
    private let descriptor: CInt
    private var watch: (any SocketWatch)?

    /// Begins to watch a non-blocking descriptor, which belongs to this object from now on. `onReadable` is given it
    /// whenever there is something to read, or the end or an error to be noticed; it may close or drop this object.
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
