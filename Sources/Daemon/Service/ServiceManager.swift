// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import Instants
import Platform
import RadioFormats

/// Notifies the service manager that has started this process, such as systemd, of the service's state (sd_notify(3)).
/// Does nothing without a service manager.
///
/// The protocol is one datagram for each message, to a socket that the environment names, so it needs no library.
package final class ServiceManager {
    private let socket: NotifySocket?
    private let reactor: any Reactor
    private let watchdog: Duration?
    private lazy var timer = reactor.makeTimer { [weak self] in self?.feed() }

    /// `environment` and `pid` are the environment and the process ID of this process.
    package init(_ environment: [String: String], pid: Int32, reactor: any Reactor) {
        self.reactor = reactor
        socket = environment["NOTIFY_SOCKET"].flatMap(NotifySocket.init)
        watchdog = socket == nil ? nil : Self.watchdog(environment, pid: pid)
    }

    deinit { timer.cancel() }

    /// Reports that the service has started: its sockets are open, and its configuration applies. From now on the loop
    /// feeds the watchdog, so that a hanging loop is noticed.
    package func started() {
        send("READY=1")
        feed()
    }

    /// Reports one line about what the service is doing.
    package func say(_ status: String) {
        send("STATUS=" + status.replacing("\n", with: " "))
    }

    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicInstant.read().nanoseconds / 1_000)")
    }

    package func reloaded() { send("READY=1") }

    package func stopping() { send("STOPPING=1") }

    private func feed() {
        guard let watchdog else { return }
        send("WATCHDOG=1")
        timer.arm(at: reactor.now + watchdog / 3)
    }

    private func send(_ message: String) { socket?.send(message) }

    /// `WATCHDOG_USEC`, if it is meant for this process (sd_watchdog_enabled(3)).
    static func watchdog(_ environment: [String: String], pid: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        if let owner = environment["WATCHDOG_PID"], owner != "\(pid)" { return nil }
        return .microseconds(microseconds)
    }
}

/// A Unix datagram socket of the service manager.
struct NotifySocket {
    private let address: sockaddr_un
    private let length: socklen_t

    /// A path, or `@` and a name in the abstract namespace; nil for anything else.
    init?(_ name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = PathText.bytes(of: name)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
            [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(bytes[0]), !bytes.contains(0)
        else { return nil }
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Sends one message. If the manager is gone or does not read, the failure is ignored.
    func send(_ message: String) {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                _ = sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, length)
            }
        }
    }
}
