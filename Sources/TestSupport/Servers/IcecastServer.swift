// SPDX-License-Identifier: MIT

package import Glibc
import TestTools

/// A real Icecast 2.4 on a free loopback port, with its configuration in a temporary folder.
///
/// Runs as long as the object exists. Several may run at the same time.
package final class IcecastServer: Sendable {
    /// The password for sources and for the admin pages.
    static let password = "loopback"

    package let port: Int
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// Starts Icecast. Waits until it answers, and until the relayed mount, if there is one, delivers audio. Blocks.
    ///
    /// - Parameters:
    ///   - burst: The number of bytes of past audio that a listener gets on connect; 0 for none.
    ///   - maximumListenerSeconds: The time after which Icecast closes a listener; nil for never.
    ///   - clients: The maximum number of connections.
    ///   - studio: The port of a server on this machine and one of its mounts, which must already be on the air. This
    ///     server relays it, including titles, under the same name.
    /// - Throws: ``SetupError`` if Icecast is missing or does not start in five attempts of at most 60 s each.
    package init(
        burst: Int = 65_536, maximumListenerSeconds: Int? = nil, clients: Int = 1000,
        relaying studio: (port: Int, mount: String)? = nil
    ) throws {
        // Another process may take the free port before Icecast does, and on a busy machine Icecast itself sometimes
        // crashes at startup. Both cases are retried.
        var failure = ""
        for _ in 0..<5 {
            let folder = try TemporaryFolder("aircheck-icecast")
            let port = try Loopback.freePort()
            try folder.write(
                "icecast.xml",
                configuration(
                    port: port, burst: burst, maximumListenerSeconds: maximumListenerSeconds, clients: clients,
                    relay: studio.map { relay(of: $0.mount, port: $0.port) } ?? ""))
            let process = try ChildProcess(.icecast2, ["-c", folder.file("icecast.xml")])
            var answers = 0
            let hasStarted = waitUntil(.seconds(60)) {
                guard process.isRunning, serves(port: port) else { return !process.isRunning }
                // If Icecast crashes, it does so within about 30 ms of its first answer, so several answers are
                // required.
                answers += 1
                guard answers >= 5 else { return false }
                guard let studio else { return true }
                return (try? Loopback.isHeard(port: port, at: studio.mount, bytes: 700, within: .seconds(3))) == true
            }
            if hasStarted && process.isRunning {
                (self.port, self.folder, self.process) = (port, folder, process)
                return
            }
            failure = process.errorSoFar
        }
        throw SetupError("Icecast does not start:\n\(failure)")
    }

    package var pid: pid_t { process.pid }

    /// The listener URL of a mount, which must begin with a slash.
    package func url(_ mount: String) -> String { "http://127.0.0.1:\(port)\(mount)" }

    /// Stops the server with SIGTERM, as a service manager does, and waits until it ends.
    package func stop() throws {
        process.terminate()
        _ = try process.wait(within: .seconds(60))
    }

    /// Sets the title of a mount whose format has no titles of its own (MPEG audio, ADTS).
    package func setTitle(_ title: String, of mount: String) throws {
        try admin("/admin/metadata?mount=\(escaped(mount))&mode=updinfo&charset=UTF-8&song=\(escaped(title))")
    }

    /// Whether a mount delivers `bytes` bytes of audio to a listener within `limit`. Blocks.
    package func isHeard(at mount: String, bytes: Int = 700, within limit: Duration = .seconds(3)) throws -> Bool {
        try Loopback.isHeard(port: port, at: mount, bytes: bytes, within: limit)
    }

    private func admin(_ target: String) throws {
        let request =
            "GET \(target) HTTP/1.0\r\nHost: 127.0.0.1\r\n"
            + "Authorization: Basic \(base64("admin:\(Self.password)"))\r\n\r\n"
        let answer = String(
            decoding: try Loopback.exchange(port: port, Array(request.utf8), within: .seconds(60)), as: UTF8.self)
        guard answer.contains("<return>1</return>") else { throw SetupError("Icecast refuses \(target):\n\(answer)") }
    }
}

/// Whether an Icecast answers on the port. A successful connect would not be enough: Icecast listens before it opens
/// its logs, and another process may have taken the port.
private func serves(port: Int) -> Bool {
    let answer = try? Loopback.exchange(port: port, Array("GET /nothing HTTP/1.0\r\n\r\n".utf8), within: .seconds(2))
    return answer.map { String(decoding: $0, as: UTF8.self).contains("Server: Icecast") } ?? false
}

/// The configuration file. All logs go to standard error, regardless of the folder. Icecast refuses to run as root, so
/// the configuration names a user to change to if tests run as root.
private func configuration(port: Int, burst: Int, maximumListenerSeconds: Int?, clients: Int, relay: String) -> String {
    let owner = getuid() == 0 ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
    let limit = maximumListenerSeconds.map { "<max-listener-duration>\($0)</max-listener-duration>" } ?? ""
    return """
        <icecast>
          <location>tests</location><admin>nobody@localhost</admin><hostname>127.0.0.1</hostname>
          <limits>
            <clients>\(clients)</clients><sources>50</sources><queue-size>\(max(524_288, 4 * burst))</queue-size>
            <client-timeout>30</client-timeout><header-timeout>15</header-timeout><source-timeout>10</source-timeout>
            <burst-size>\(burst)</burst-size>
          </limits>
          <authentication>
            <source-password>\(IcecastServer.password)</source-password>
            <relay-password>\(IcecastServer.password)</relay-password>
            <admin-user>admin</admin-user><admin-password>\(IcecastServer.password)</admin-password>
          </authentication>
          <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
          <mount type="default"><charset>UTF-8</charset>\(limit)</mount>
          \(relay)
          <paths>
            <basedir>/usr/share/icecast2</basedir><logdir>/var/log</logdir>
            <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
          </paths>
          <logging><accesslog>-</accesslog><errorlog>-</errorlog><loglevel>2</loglevel></logging>
          <security><chroot>0</chroot>\(owner)</security>
        </icecast>

        """
}

/// The part of the configuration that makes Icecast relay a mount.
private func relay(of mount: String, port: Int) -> String {
    "<relay><server>127.0.0.1</server><port>\(port)</port><mount>\(mount)</mount><local-mount>\(mount)</local-mount>"
        + "<on-demand>0</on-demand><relay-shoutcast-metadata>1</relay-shoutcast-metadata></relay>"
}
