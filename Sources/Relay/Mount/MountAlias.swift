// SPDX-License-Identifier: MIT

/// Other paths under which players request a mount.
package enum MountAlias {
    /// The path of the route that serves a path without its own route; nil if there is none.
    ///
    /// SHOUTcast has its stream at `/;` and `/;stream.mp3`, version 2 at `/stream/1/`, and a playlist at `/listen.pls`.
    /// These paths lead to the first mount, `/stream/2/` to the second, and so on. A slash after a mount's path is a
    /// common mistake, and is ignored.
    package static func target(of path: String, mounts: @autoclosure () -> [String]) -> String? {
        if path.hasPrefix("/;") || ["/stream", "/stream/", "/listen"].contains(path) { return mounts().first }
        if let suffix = ["pls", "m3u", "xspf"].first(where: { path == "/listen." + $0 }) {
            return mounts().first.map { "\($0).\(suffix)" }
        }
        let parts = path.split(separator: "/")
        if parts.count == 2, parts[0] == "stream", let number = Int(parts[1]), number > 0 {
            return mounts().dropFirst(number - 1).first
        }
        return path.hasSuffix("/") ? String(path.dropLast()) : nil
    }
}
