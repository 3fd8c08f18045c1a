// SPDX-License-Identifier: MIT

/// What a `Content-Length` of a radio server means.
package enum ContentLength {
    /// The smallest length that means an endless body: some stations announce the largest number that they know.
    package static let endless = Int64(Int32.max)
}
