// SPDX-License-Identifier: MIT

package import RadioCore

extension Player {
    /// An event of a queue's source, with the source's id.
    package enum SourceEvent: Sendable {
        /// Its audio begins to be heard.
        case heard(Int)
        /// All of it has been received, or no more can be.
        case received(Int, Failure?)
        /// It cannot be decoded.
        case undecodable(Int, Failure)
    }
}
