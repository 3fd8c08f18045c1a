// SPDX-License-Identifier: MIT

/// Something that goes wrong with a connection, once its moment has come.
///
///     [.at(.seconds(8), .reset)]                                  // cut off after 8 s
///     [.inFrame(after: .seconds(8), .close)]                      // in the middle of the next frame
///     [.at(.seconds(8), .stall), .at(.seconds(11), .goOn)]        // three seconds of silence, then all at once
///
/// The faults of a connection come in their order, each only after the one before it.
package struct LiveFault: Sendable, Hashable {
    /// When: times are counted from the accept, bytes are those of the body.
    package enum Moment: Sendable, Hashable {
        case time(Duration)
        case bytes(Int)
        /// Where the middle of a frame (Ogg: of a page) comes by, the first one that begins after the time.
        case frame(after: Duration)
        /// Where the middle of a metadata block comes by, the first one after the time. A block is made where there
        /// would be none: the title said again. Without metadata it never comes.
        case metadata(after: Duration)
    }

    package enum Effect: Sendable, Hashable {
        /// FIN.
        case close
        /// RST.
        case reset
        /// The connection stays open and silent.
        case stall
        /// That number of bytes a second, and no faster than live.
        case trickle(Int)
        /// From the next place for metadata on nothing but a block of 4,080 bytes, at that number of bytes a second;
        /// then silence.
        /// Audio goes on up to there.
        case metadataOnly(Int)
        /// As if nothing had happened: what has aired meanwhile comes at once.
        case goOn
        /// With what is on air then: what has aired meanwhile never comes.
        case goOnLive
    }

    package var moment: Moment
    package var effect: Effect

    package static func at(_ time: Duration, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .time(time), effect: effect)
    }
    package static func afterBytes(_ count: Int, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .bytes(count), effect: effect)
    }
    package static func inFrame(after time: Duration, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .frame(after: time), effect: effect)
    }
    package static func inMetadata(after time: Duration, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .metadata(after: time), effect: effect)
    }
}
