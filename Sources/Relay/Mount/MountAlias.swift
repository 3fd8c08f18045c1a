// SPDX-License-Identifier: MIT

/// Other paths by which players ask for a mount.
package enum MountAlias {
    /// The path of the route that is meant by a path without one; nil if none is.
    ///
    /// SHOUTcast has its stream at `/;` and `/;stream.mp3`, the second version at `/stream/1/`, and a playlist at
    /// `/listen.pls`: here, these are the first mount's. A slash behind a mount's path is a common slip.
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
