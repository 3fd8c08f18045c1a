// SPDX-License-Identifier: MIT

/// A frame as the splicer remembers it: a 64-bit fingerprint of its bytes, and its playing time.
package struct FrameMark: Hashable, Sendable {
    /// See ``Fingerprint``.
    package let fingerprint: UInt64
    /// The playing time in nanoseconds, not in samples: frames of different formats are compared.
    package let nanoseconds: UInt32

    package init(fingerprint: UInt64, nanoseconds: UInt32) {
        self.fingerprint = fingerprint
        self.nanoseconds = nanoseconds
    }

    /// Computes the fingerprint of `frame`, whose playing time is `nanoseconds`.
    package init(_ frame: UnsafeRawBufferPointer, nanoseconds: UInt32) {
        self.init(fingerprint: Fingerprint(frame).value, nanoseconds: nanoseconds)
    }

    package var duration: Duration { .nanoseconds(Int64(nanoseconds)) }
}
