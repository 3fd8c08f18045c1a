// SPDX-License-Identifier: MIT

/// A watch of a signal that comes when the test says so.
final class ManualSignalWatch: SignalWatch {
    let number: CInt
    private let handler: () -> Void
    private var isCancelled = false

    init(number: CInt, handler: @escaping () -> Void) {
        self.number = number
        self.handler = handler
    }

    func cancel() { isCancelled = true }

    func fire() -> Bool {
        guard !isCancelled else { return false }
        handler()
        return true
    }
}
