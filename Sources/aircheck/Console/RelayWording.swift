// SPDX-License-Identifier: MIT

import Engine
import HTTPServer
import RadioFormats
import Relay

/// The words of `relay`.
enum RelayWording {
    /// The addresses under which other programs, and other devices, find the programme.
    static func urls(_ addresses: [SocketAddress], _ path: String) -> [String] {
        addresses.flatMap(\.reachable).map { "http://\($0)\(path)" }
    }

    /// Where to listen, and how other devices can.
    static func lines(_ addresses: [SocketAddress], _ path: String) -> [String] {
        var lines = ["listen at:"]
        lines += urls(addresses, path).map { "  \($0)" }
        lines.append("for programs that want a playlist, add .m3u or .pls to the address")
        if addresses.allSatisfy(\.isLoopback), let port = addresses.first?.port {
            lines.append(
                "only this machine can reach that; for phones and radios in your network: --listen 0.0.0.0:\(port)")
        }
        return lines
    }

    static func line(_ progress: RelayProgress, width: Int) -> String {
        var parts = [LiveLine.clock(progress.elapsed), listeners(progress.listeners)]
        if progress.reconnects > 0 { parts.append("reconnects \(progress.reconnects)") }
        let head = (progress.isOnAir ? "● " : "○ ") + parts.joined(separator: "  ")
        let title = TitleText.cleaned(progress.isOnAir ? progress.title ?? "" : "no audio")
        let room = width - 1 - DisplayWidth.of(head) - 2
        guard room > 3, !title.isEmpty else { return DisplayWidth.cut(head, to: max(1, width - 1)) }
        return head + "  " + DisplayWidth.cut(title, to: room)
    }

    /// What became of the fallback.
    static func line(_ notice: Fallback.Notice) -> String {
        switch notice {
        case .began: "the station is away, so the fallback begins"
        case .ended: "nobody needs the fallback any more"
        case .failed(let failure): "the fallback has ended\(failure.map { ": \($0)" } ?? "")"
        case .otherCodec(let own, let station):
            """
            the fallback is \(own.rawValue) and the station \(station.rawValue): players cannot change from one to \
            the other, so they get silence
            """
        }
    }

    /// What there was, once all is over.
    static func summary(_ mount: MountSnapshot, _ elapsed: Duration) -> String {
        let served = mount.joins == 0 ? "nobody listened" : "\(listeners(mount.joins)), \(mount.peak) at most at a time"
        return "relayed for \(LiveLine.clock(elapsed)): \(served), \(LiveLine.bytes(mount.bytes)) sent"
    }

    private static func listeners(_ count: Int) -> String { count == 1 ? "1 listener" : "\(count) listeners" }
}
