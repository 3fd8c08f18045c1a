// SPDX-License-Identifier: MIT
// Signatures only; the real ones replace this file.

/// One HTTP exchange.
package final class Transfer {
    package init() {}
    package func cancel() {}
    package func pause() {}
    package func resume() {}
}

/// Why a transfer failed.
package struct TransferError: Error, Sendable, Hashable {}
