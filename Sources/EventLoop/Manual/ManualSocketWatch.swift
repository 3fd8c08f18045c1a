// SPDX-License-Identifier: MIT

/// A watch of a descriptor that becomes ready when the test says so. The descriptor is only a number.
final class ManualSocketWatch: SocketWatch {
    let descriptor: CInt
    var interest: Readiness = []
    private(set) var isCancelled = false
    private let handler: (Readiness) -> Void

    init(descriptor: CInt, handler: @escaping (Readiness) -> Void) {
        self.descriptor = descriptor
        self.handler = handler
    }

    func cancel() { isCancelled = true }

    /// Calls the handler with what is wanted of this; false where nothing is.
    func ready(_ readiness: Readiness) -> Bool {
        let wanted = interest.intersection(readiness)
        guard !isCancelled, !wanted.isEmpty else { return false }
        handler(wanted)
        return true
    }
}
