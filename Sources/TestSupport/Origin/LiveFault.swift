// SPDX-License-Identifier: MIT

/// A fault of a connection that occurs at a given moment.
///
///     [.at(.seconds(8), .reset)]                                  // cut off after 8 s
///     [.inFrame(after: .seconds(8), .close)]                      // in the middle of the next frame
///     [.at(.seconds(8), .stall), .at(.seconds(11), .resume)]        // three seconds of silence, then all at once
///
/// The faults of a connection occur in order: each fault waits until the previous one has occurred.
package struct LiveFault: Sendable, Hashable {
    /// The moment of a fault. Times are relative to the accept; bytes are counted in the body.
    package enum Moment: Sendable, Hashable {
        case time(Duration)
        case bytes(Int)
        /// In the first frame (Ogg: page) that starts after the time, when this part of it (between 0 and 1) has been
        /// sent.
        case frame(after: Duration, part: Double)
        /// In the middle of the first metadata block after the time. If that block would be empty, it repeats the title
        /// instead. On a connection without metadata, the fault never occurs.
        case metadata(after: Duration)
    }

    package enum Effect: Sendable, Hashable {
        /// Closes the connection with FIN.
        case close
        /// Closes the connection with RST.
        case reset
        /// Keeps the connection open and sends nothing.
        case stall
        /// Sends at this number of bytes a second, but no faster than live.
        case trickle(Int)
        /// Sends audio up to the next metadata block, then only a block of 4,080 bytes at this number of bytes a
        /// second, then nothing.
        case metadataOnly(Int)
        /// Continues at the position of the fault: the audio that has aired since is sent at once.
        case resume
        /// Continues at the position of the fault, and sends the audio that has aired since at this multiple of its own
        /// speed.
        case resumeAt(Int)
        /// Continues at the live edge: the audio that has aired since is never sent.
        case resumeLive
    }

    package var moment: Moment
    package var effect: Effect

    package static func at(_ time: Duration, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .time(time), effect: effect)
    }
    package static func afterBytes(_ count: Int, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .bytes(count), effect: effect)
    }
    package static func inFrame(after time: Duration, part: Double = 0.5, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .frame(after: time, part: part), effect: effect)
    }
    package static func inMetadata(after time: Duration, _ effect: Effect) -> LiveFault {
        LiveFault(moment: .metadata(after: time), effect: effect)
    }
}
