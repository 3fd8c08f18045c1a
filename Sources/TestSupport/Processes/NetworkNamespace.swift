// SPDX-License-Identifier: MIT

/// A network of one's own for programs under test: nothing but loopback, and the name servers that a test says.
///
/// Made by `unshare`, for which the kernel has to let ordinary users have namespaces, as Debian's does; some containers
/// do not.
package struct NetworkNamespace: Sendable {
    private let folder: TemporaryFolder

    /// Prepares one. `nameServers` are asked for names: 127.0.0.1 is a server inside, ``silentNameServer`` swallows
    /// what it is asked.
    package init(nameServers: [String] = ["127.0.0.1"]) throws {
        folder = try TemporaryFolder("aircheck-network")
        try folder.write("resolv.conf", nameServers.map { "nameserver \($0)\n" }.joined())
        try folder.write("nsswitch.conf", "hosts: files dns\n")
    }

    /// An address to which packets go and from which none come.
    package static let silentNameServer = "192.0.2.53"

    /// Whether this machine lets us make one.
    package static let isPermitted: Bool = {
        let outcome = try? NetworkNamespace().start("/bin/true", []).wait(within: .seconds(20))
        return outcome?.succeeded == true
    }()

    /// Starts a program inside; its process is the one that is returned.
    package func start(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let script = """
            set -e
            ip link set lo up
            ip route add 192.0.2.0/24 dev lo
            mount --bind "$0/resolv.conf" /etc/resolv.conf
            mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf
            exec "$@"
            """
        return try ChildProcess(
            .unshare,
            ["--map-root-user", "--net", "--mount", "--", "/bin/sh", "-c", script, folder.path, path] + arguments,
            environment: environment, holding: folder)
    }
}
