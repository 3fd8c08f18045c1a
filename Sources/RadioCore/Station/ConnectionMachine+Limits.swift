// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// How long each step may take.
    package struct Limits: Hashable, Sendable {
        /// For the look-up of the address. curl has a limit of its own, 10 s for this and the next two steps together.
        package var resolve = Duration.seconds(12)
        /// For the TCP connection.
        package var connect = Duration.seconds(12)
        /// For the TLS handshake.
        package var secure = Duration.seconds(12)
        /// From the request to the head of the response, for which the client has a limit of 15 s and a failure of its
        /// own.
        package var head = Duration.seconds(16)
        /// From there to the first byte of the body.
        package var firstByte = Duration.seconds(15)
        /// From the first byte to the first frame.
        package var firstFrame = Duration.seconds(15)
        /// A try that has delivered nothing for this time is slow, and gets a hedge.
        package var slowTry = Duration.milliseconds(2_500)
        /// A live connection without a frame for this time is given up.
        package var stall = Duration.seconds(10)
        /// Once audio has come for this time, the outage before it is over.
        package var steadyAudio = Duration.seconds(5)
        /// Once good audio has come for this time, earlier trouble is forgotten.
        package var goodAudio = Duration.seconds(60)
        package init() {}

        /// However long the station's pauses are, a silence of this length is a stall.
        static let longestStall = Duration.seconds(30)
        /// A timer that fires this late says nothing of the station: the process was stopped, or the loop held up.
        static let forgivable = Duration.milliseconds(500)
        /// After such a pause, the bytes that wait in the sockets have this time to come in.
        static let grace = Duration.seconds(1)
        /// Two connections that deliver within this time of each other count as simultaneous.
        package static let tie = Duration.milliseconds(50)
        /// The number of first connections that may stay silent after a lump before the station is no longer waited
        /// for. The second was silent as a hedge already, so its pause may be longer than the first one's.
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
