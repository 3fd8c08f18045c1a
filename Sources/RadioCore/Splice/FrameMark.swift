// SPDX-License-Identifier: MIT

import Instants

/// A frame as the splicer remembers it: what it was, in 64 bits, and how long it played.
package struct FrameMark: Hashable, Sendable {
    /// Equal for equal bytes, and for different ones but once in 2⁶⁴.
    package var fingerprint: UInt64
    /// In nanoseconds: frames of different formats stand side by side.
    package var nanoseconds: UInt32

    package init(fingerprint: UInt64, nanoseconds: UInt32) {
        self.fingerprint = fingerprint
        self.nanoseconds = nanoseconds
    }

    /// The mark of a frame that plays `samples` at `sampleRate`.
    package init(_ frame: UnsafeRawBufferPointer, samples: Int, sampleRate: Int) {
        fingerprint = Self.fingerprint(frame)
        nanoseconds = UInt32(clamping: Duration.samples(Int64(samples), at: sampleRate).wholeNanoseconds)
    }

    package var duration: Duration { .nanoseconds(Int64(nanoseconds)) }

    /// Four lanes of multiply-and-fold, eight bytes each: several bytes a nanosecond. It need not withstand somebody who
    /// wants two frames to look alike: all that he could spoil is his own stream.
    private static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var left = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var right = left &* lane
        var (third, fourth) = (left &+ step, right &+ step)
        var offset = 0
        while offset + 32 <= bytes.count {
            left = fold(left ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), lane)
            right = fold(right ^ bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self), step)
            third = fold(third ^ bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self), lane)
            fourth = fold(fourth ^ bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self), step)
            offset += 32
        }
        left = fold(left ^ third, step)
        right = fold(right ^ fourth, lane)
        var word: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            word |= UInt64(bytes[offset]) << shift
            shift += 8
            if shift == 64 {
                left = fold(left ^ word, lane)
                (word, shift) = (0, 0)
            }
            offset += 1
        }
        return fold(fold(left ^ word, step) ^ right, lane)
    }

    private static func fold(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }

    private static let seed: UInt64 = 0x6A09_E667_F3BC_C908
    private static let lane: UInt64 = 0xBB67_AE85_84CA_A73B
    private static let step: UInt64 = 0x3C6E_F372_FE94_F82B
}
