// SPDX-License-Identifier: MIT

/// A separate network for programs under test. It has only the loopback interface and the name servers that the test
/// sets.
///
/// Created with `unshare`. The kernel must permit unprivileged user namespaces. Debian's kernel does; some containers
/// do not.
package struct NetworkNamespace: Sendable {
    private let folder: TemporaryFolder

    /// Prepares a namespace with the given name servers. 127.0.0.1 is a server inside the namespace, and
    /// ``silentNameServer`` never answers.
    package init(nameServers: [String] = ["127.0.0.1"]) throws {
        folder = try TemporaryFolder("aircheck-network")
        try folder.write("resolv.conf", nameServers.map { "nameserver \($0)\n" }.joined())
        try folder.write("nsswitch.conf", "hosts: files dns\n")
    }

    /// An address that accepts packets and never answers.
    package static let silentNameServer = "192.0.2.53"

    /// Whether this machine permits network namespaces.
    package static let isPermitted: Bool = {
        let outcome = try? NetworkNamespace().start("/bin/true", []).wait(within: .seconds(20))
        return outcome?.succeeded == true
    }()

    /// Starts a program in the namespace and returns its process.
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
