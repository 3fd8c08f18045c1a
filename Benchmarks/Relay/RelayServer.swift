// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// A server that relays a studio's station, alone on its core. Ends with the object.
final class RelayServer {
    enum Program: CaseIterable {
        case aircheck, icecast
    }

    let pid: pid_t
    let port: Int
    private let held: Any

    /// The path at which it, and its studio, have the station.
    static let path = "/station.mp3"

    /// Starts it and waits until it has a whole burst for listeners, and has filled whatever else it keeps.
    init(_ program: Program, relaying studio: IcecastServer, listeners: Int, on cores: Cores) throws {
        switch program {
        case .aircheck:
            let port = try Loopback.freePort()
            let arguments = ["relay", studio.url(Self.path), "--listen", "127.0.0.1:\(port)", "--mount", Self.path]
            let process = try cores.onServers { try ChildProcess(aircheckBinary(), arguments) }
            (self.pid, self.port, held) = (process.pid, port, process)
            guard waitUntil(.seconds(10), { !process.isRunning || Loopback.answers(port: port) }), process.isRunning
            else { throw SetupError("aircheck does not relay:\n\(process.errorSoFar)") }
        case .icecast:
            let server = try cores.onServers {
                try IcecastServer(clients: listeners + 100, relaying: (studio.port, Self.path))
            }
            (pid, port, held) = (server.pid, server.port, server)
        }
        let port = port
        let hasBurst = try waitUntil(.seconds(20)) {
            try Loopback.isHeard(port: port, at: Self.path, bytes: Self.burst, within: .milliseconds(500))
        }
        guard hasBurst else { throw SetupError("\(program) has no audio for listeners") }
        // Before that its memory grows also without listeners. A look at the memory would not tell when it is over:
        // what was freed before is used first.
        sleep(Self.secondsKept)
    }

    /// Aircheck keeps 77 s for slow listeners, whether there are any or not.
    private static let secondsKept: UInt32 = 80

    /// What listeners are sent at once, nearly: 4 s of audio here, 64 KiB there.
    private static let burst = 60_000
}
