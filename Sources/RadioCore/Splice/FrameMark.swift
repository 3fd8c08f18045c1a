// SPDX-License-Identifier: MIT

import Instants

/// A frame as the splicer remembers it: what it was, in 64 bits, and how long it played.
package struct FrameMark: Hashable, Sendable {
    /// See ``Fingerprint``.
    package let fingerprint: UInt64
    /// In nanoseconds: frames of different formats stand side by side.
    package let nanoseconds: UInt32

    package init(fingerprint: UInt64, nanoseconds: UInt32) {
        self.fingerprint = fingerprint
        self.nanoseconds = nanoseconds
    }

    /// The mark of a frame that plays for this long, in nanoseconds.
    package init(_ frame: UnsafeRawBufferPointer, nanoseconds: UInt32) {
        self.init(fingerprint: Fingerprint(frame).value, nanoseconds: nanoseconds)
    }

    package var duration: Duration { .nanoseconds(Int64(nanoseconds)) }
}
