// SPDX-License-Identifier: MIT

import TestSupport

/// The configuration of a daemon that records many stations of one origin, each into one file named after it.
struct DaemonConfig {
    /// Where the daemon listens.
    let port: Int
    let text: String

    /// Makes the configuration. The first `relayed` of the stations are also relayed.
    init(_ origin: ScriptedOrigin, stations: Int, relayed: Int) throws {
        port = try Loopback.freePort()
        let head = "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n[log]\nlevel = \"warning\"\n"
        text =
            head
            + (0..<stations).map { number in
                """
                [[station]]
                id = "s\(number)"
                url = "\(origin.url("/s\(number)"))"
                record = "always"
                segment = "none"
                template = "{station}"
                name = "s\(number)"
                pure = true
                relay = \(number < relayed)

                """
            }.joined()
    }
}
