// SPDX-License-Identifier: MIT

/// The failures of one station's connections that deliver nothing.
struct ConnectionFailures: Sendable {
    /// The name of the station in messages.
    let name: String

    /// The failure of a connection that stays at a step for too long.
    func timeout(at step: ConnectionMachine.Step) -> Failure {
        switch step {
        case .resolving: Failure(.timeout, "looking up the address of \(name) took too long", remedy: Self.remedy)
        case .connecting: Failure(.timeout, "connecting to \(name) took too long", remedy: Self.remedy)
        case .securing: Failure(.timeout, "the TLS handshake with \(name) took too long", remedy: Self.remedy)
        case .awaitingHead:
            Failure(.noAudio, "\(name) accepted the connection but sent no answer", remedy: Self.remedy)
        case .awaitingFirstByte:
            Failure(.noAudio, "\(name) answered but sent nothing after that", remedy: Self.remedy)
        case .probing: Failure(.noAudio, "\(name) sent data but no audio", remedy: Self.remedy)
        case .live: ConnectionMachine.stalled
        }
    }

    /// The failure of a connection whose response the server ended properly.
    func closed(at step: ConnectionMachine.Step) -> Failure {
        if step == .live { return Failure(.dropped, "the server closed the connection", remedy: Self.patience) }
        return Failure(.noAudio, "\(name) closed the connection before any audio arrived", remedy: Self.remedy)
    }

    /// The failure of a station for which no other failure is known.
    var nothingHeard: Failure { Failure(.noAudio, "no audio from \(name)", remedy: Self.remedy) }

    fileprivate static let patience = "nothing to do: Aircheck reconnects"
    private static let remedy = "check the address in a browser or another player; the station may be off the air"
}

extension ConnectionMachine {
    /// The failure of a station that is silent for too long.
    package static let stalled = Failure(
        .dropped, "the station stopped sending audio", remedy: ConnectionFailures.patience)
}
