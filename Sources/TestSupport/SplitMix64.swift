// SPDX-License-Identifier: MIT

package import RadioCore

/// The random number generator of the product, for tests that do not import RadioCore.
package typealias SplitMix64 = RadioCore.SplitMix64

extension SplitMix64 {
    /// `count` random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
