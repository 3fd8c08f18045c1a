// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// A server that relays a studio's station, alone on its core. Ends when the object is released.
final class RelayServer {
    enum Program: CaseIterable {
        case aircheck, icecast
    }

    let pid: pid_t
    let port: Int
    private let held: Any

    /// The path of the station, at this server and at its studio.
    static let path = "/station.mp3"

    /// Starts the server and waits until it has a full burst for listeners and has filled all other buffers.
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
        // During this time the server's memory grows even without listeners. The amount of memory does not show when
        // the growth is over, because freed memory is used first.
        sleep(Self.secondsKept)
    }

    /// Aircheck keeps 77 s of audio for slow listeners, even if there are none.
    private static let secondsKept: UInt32 = 80

    /// Slightly less than the burst that listeners get, in bytes: Aircheck sends 4 s of audio, Icecast 64 KiB.
    private static let burst = 60_000
}
