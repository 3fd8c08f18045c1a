// SPDX-License-Identifier: MIT

package import HTTPServer
package import Relay

// Messages about a mount.
extension Wording {
    /// The URLs at which other programs and devices can reach the programme.
    package static func urls(_ addresses: [SocketAddress], _ path: String) -> [String] {
        addresses.flatMap(\.reachable).map { $0.url(path) }
    }

    /// A summary of what was served.
    package static func summary(_ mount: MountSnapshot, _ elapsed: Duration) -> String {
        let served = mount.joins == 0 ? "nobody listened" : "\(listeners(mount.joins)), at most \(mount.peak) at a time"
        return "relayed for \(Measure.clock(elapsed)): \(served), \(Measure.bytes(mount.bytes)) sent"
    }

    package static func listeners(_ count: Int) -> String { count == 1 ? "1 listener" : "\(count) listeners" }
}
