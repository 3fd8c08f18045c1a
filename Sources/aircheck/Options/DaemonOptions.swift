// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Glibc
import RadioFormats

/// Which running daemon to contact; shared by all commands that send requests to one.
struct DaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The daemon's socket. Default: aircheck/aircheck.sock in $XDG_RUNTIME_DIR, or /run/aircheck/aircheck.sock.
            """, valueName: "path"), completion: .file())
    var socket: String?

    var client: ControlClient { Self.client(socket) }

    /// `socket`: the path given by the user; nil for the usual places.
    static func client(_ socket: String?) -> ControlClient {
        ControlClient(paths: socket.map { [$0] } ?? ControlSocket.candidates(ProcessEnvironment.values))
    }
}

/// The environment of this process.
enum ProcessEnvironment {
    /// The variables in which other programs look for a proxy.
    static let proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]

    /// The values of the variables that this program reads anywhere.
    static var values: [String: String] {
        let names =
            [
                "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME", "NOTIFY_SOCKET",
                "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "STATE_DIRECTORY",
                "CREDENTIALS_DIRECTORY", "JOURNAL_STREAM",
            ] + proxies
        return Dictionary(
            names.compactMap { name in getenv(name).map { (name, String(path: $0)) } }, uniquingKeysWith: { $1 })
    }
}
