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
        /// A try that has brought nothing for this time is slow, and gets a hedge.
        package var slowTry = Duration.milliseconds(2_500)
        /// Without a frame for this time, a live connection is given up.
        package var stall = Duration.seconds(10)
        /// Once audio has come for this time, the outage before it is over.
        package var steadyAudio = Duration.seconds(5)
        /// Once good audio has come for this time, earlier trouble is forgotten.
        package var goodAudio = Duration.seconds(60)
        package init() {}

        /// However long the station's pauses are, a silence of this length is a stall.
        static let longestStall = Duration.seconds(30)
        /// Two connections that speak within this time of each other count as speaking at once.
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

    /// The failure of a connection that is at a step for too long.
    func timeout(at step: Step) -> Failure {
        switch step {
        case .resolving: Failure(.timeout, "looking up the address of \(name) took too long", remedy: Self.remedy)
        case .connecting: Failure(.timeout, "connecting to \(name) took too long", remedy: Self.remedy)
        case .securing: Failure(.timeout, "the TLS handshake with \(name) took too long", remedy: Self.remedy)
        case .awaitingHead:
            Failure(.noAudio, "\(name) accepted the connection but sent no answer", remedy: Self.remedy)
        case .awaitingFirstByte:
            Failure(.noAudio, "\(name) answered but sent nothing after that", remedy: Self.remedy)
        case .probing: Failure(.noAudio, "\(name) sent data but no audio", remedy: Self.remedy)
        case .live: Self.stalled
        }
    }

    /// The failure of a station that is silent for too long.
    package static let stalled = Failure(.dropped, "the station stopped sending audio", remedy: patience)

    /// The failure where the server ended a response properly.
    func closed(at step: Step) -> Failure {
        if step == .live { return Failure(.dropped, "the server closed the connection", remedy: Self.patience) }
        return Failure(.noAudio, "\(name) closed the connection before any audio came", remedy: Self.remedy)
    }

    /// The failure where nothing has happened yet.
    var nothingHeard: Failure { Failure(.noAudio, "no audio from \(name)", remedy: Self.remedy) }

    private static let patience = "nothing to do: Aircheck reconnects"
    private static let remedy = "check the address in a browser or another player; the station may be off the air"
}
