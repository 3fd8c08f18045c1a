// SPDX-License-Identifier: MIT

import TestTools

/// A real nginx on a free loopback port that serves one folder. Its configuration and all files that it writes are in a
/// temporary folder. Runs as long as the object exists.
package final class NginxServer: Sendable {
    package let port: Int
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// Starts nginx and waits until it listens. `options` are directives for the server block.
    package init(serving root: String, options: String = "") throws {
        folder = try TemporaryFolder("aircheck-nginx")
        port = try Loopback.freePort()
        try folder.write("nginx.conf", Self.configuration(port: port, root: root, options: options, folder: folder))
        process = try ChildProcess(
            .nginx, ["-p", folder.path, "-e", folder.file("error.log"), "-c", folder.file("nginx.conf")])
        let (child, port) = (process, port)
        let listens = waitUntil(.seconds(10)) { !child.isRunning || Loopback.answers(port: port) }
        guard listens, process.isRunning else { throw SetupError("nginx does not start:\n\(process.errorSoFar)") }
    }

    /// The configuration: nginx stays in the foreground, logs no requests, and sends files with `sendfile`.
    private static func configuration(port: Int, root: String, options: String, folder: TemporaryFolder) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: " ")
        return """
            daemon off;
            master_process off;
            pid \(folder.file("nginx.pid"));
            events { worker_connections 64; }
            http {
              access_log off;
              sendfile on;
              tcp_nopush on;
              types { audio/mpeg mp3; }
              \(temporary)
              server { listen 127.0.0.1:\(port); root \(root); \(options) }
            }

            """
    }
}
