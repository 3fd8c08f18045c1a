// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// How long each step may take.
    package struct Limits: Hashable, Sendable {
        /// The limit for the look-up of the address. curl has its own limit, 10 s for this step and the next two
        /// together.
        package var resolve = Duration.seconds(12)
        /// The limit for the TCP connection.
        package var connect = Duration.seconds(12)
        /// The limit for the TLS handshake.
        package var secure = Duration.seconds(12)
        /// The limit for the time from the request to the head of the response. The client has its own limit for this,
        /// 15 s, and its own failure.
        package var head = Duration.seconds(16)
        /// The limit for the time from the head to the first byte of the body.
        package var firstByte = Duration.seconds(15)
        /// The limit for the time from the first byte to the first frame.
        package var firstFrame = Duration.seconds(15)
        /// A try that has delivered nothing for this time is slow, and gets a hedge.
        package var slowTry = Duration.milliseconds(2_500)
        /// How far the edge of a better entry may be ahead of the one that plays. Its frames wait that long for the one
        /// that plays to deliver what precedes them.
        package var lead = Duration.seconds(30)
        /// A live connection without a frame for this time is given up.
        package var stall = Duration.seconds(10)
        /// A connection that delivers for this time is steady.
        package var steadyAudio = Duration.seconds(5)
        /// After a connection that delivered for this time, better entries of the list are tried again soon.
        package var goodAudio = Duration.seconds(60)
        package init() {}

        /// However long the station's pauses are, a silence of this length is a stall.
        static let longestStall = Duration.seconds(30)
        /// If a timer fires this late, the process was stopped or the loop was held up, and the station is not to
        /// blame.
        static let forgivable = Duration.milliseconds(500)
        /// After such a delay, the process has this much time to read the bytes that wait in the sockets.
        static let grace = Duration.seconds(1)
        /// Two connections that deliver within this time of each other count as simultaneous.
        package static let tie = Duration.milliseconds(50)
        /// After this many first connections were given up because they stayed silent after a lump, the machine does
        /// not wait for the next lump. The second of these connections was already silent while it was a hedge, so its
        /// pause may be longer than the first one's.
        static let mostSilentLumps = 2

        /// How long a connection may be at a step without progress.
        package subscript(step: Step) -> Duration {
            switch step {
            case .resolving: resolve
            case .connecting: connect
            case .securing: secure
            case .awaitingHead: head
            case .awaitingFirstByte: firstByte
            case .probing: firstFrame
            case .live: stall
            }
        }
    }
}
