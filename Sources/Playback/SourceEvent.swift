// SPDX-License-Identifier: MIT

package import RadioCore

extension Player {
    /// An event of a queue's source, with the source's id.
    package enum SourceEvent: Sendable {
        /// The source's audio begins to be heard.
        case heard(Int)
        /// All of the source's audio has been received, or no more can be received because of this failure.
        case received(Int, Failure?)
        /// The source cannot be decoded.
        case undecodable(Int, Failure)
    }
}
