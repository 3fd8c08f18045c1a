// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Our own relay of a station, started with a full burst for listeners. Ends when the object is released.
final class OwnRelay {
    let url: String
    private let process: ChildProcess

    private static let path = "/relayed"
    /// Slightly less than the burst that listeners get, in bytes: 4 s at 128 kbit/s.
    private static let burst = 60_000

    init(of station: String) throws {
        let port = try Loopback.freePort()
        url = "http://127.0.0.1:\(port)\(Self.path)"
        process = try ChildProcess(
            aircheckBinary(), ["relay", station, "--listen", "127.0.0.1:\(port)", "--mount", Self.path])
        let process = process
        let hasBurst = waitUntil(.seconds(20)) {
            let isHeard = try? Loopback.isHeard(
                port: port, at: Self.path, bytes: Self.burst, within: .milliseconds(500))
            return !process.isRunning || isHeard == true
        }
        guard hasBurst, process.isRunning else { throw SetupError("aircheck does not relay:\n\(process.errorSoFar)") }
    }
}
