// SPDX-License-Identifier: MIT

import Foundation

/// The programs that tests run, and their Debian packages (`scripts/packages` has the same list).
package enum Tool: String, CaseIterable, Sendable {
    case icecast2, ffmpeg, ffprobe, flac, mpg123, mpv, streamripper, nginx, openssl, curl, unshare, nsenter, ip
    case playerctl
    case cvlc, mpd, chromedriver
    case gstPlay = "gst-play-1.0"
    case fail2banRegex = "fail2ban-regex"
    case groff, bash, zsh, fish
    case faketime
    case pulseaudio, pactl, parec, pacat, pipewire, wireplumber
    case pipewirePulse = "pipewire-pulse"
    case gdbus
    case socketActivate = "systemd-socket-activate"
    case dbusDaemon = "dbus-daemon"
    case dbusRunSession = "dbus-run-session"
    case dbusSend = "dbus-send"

    /// The `make` target that installs the program's package. The package's group in `scripts/packages` has the same
    /// name.
    package enum Installer: String {
        case test, players
    }

    /// Whether `make players` runs the tests.
    package static var hasPlayers: Bool { getenv("AIRCHECK_PLAYERS") != nil }

    package var installer: Installer {
        switch self {
        case .cvlc, .mpd, .gstPlay, .chromedriver, .fail2banRegex: .players
        default: .test
        }
    }

    /// The Debian package that holds the program.
    package var package: String {
        switch self {
        case .ffprobe: "ffmpeg"
        case .nginx: "nginx-light"
        case .unshare, .nsenter: "util-linux"
        case .dbusRunSession: "dbus-daemon"
        case .pactl, .parec, .pacat: "pulseaudio-utils"
        case .ip: "iproute2"
        case .groff: "groff-base"
        case .gdbus: "libglib2.0-bin"
        case .socketActivate: "systemd"
        case .dbusSend: "dbus-bin"
        case .cvlc: "vlc-bin"
        case .fail2banRegex: "fail2ban"
        case .gstPlay: "gstreamer1.0-plugins-base-apps"
        case .chromedriver: "chromium-driver"
        default: rawValue
        }
    }

    /// The absolute path of the program. A missing program is a failure that names the package, never a reason to skip
    /// a test.
    package func path() throws -> String {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        for folder in folders + ["/usr/bin", "/usr/sbin", "/sbin"] where access("\(folder)/\(rawValue)", X_OK) == 0 {
            return "\(folder)/\(rawValue)"
        }
        throw SetupError("\(rawValue) is missing: install the package \(package) (`make \(installer)` does)")
    }
}

/// The path of a program that needs no package of Debian: that of an environment variable, or one on the path. Nil if it
/// is not installed.
package func executable(_ name: String, variable: String) -> String? {
    if let path = getenv(variable) { return String(cString: path) }
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}

/// The path of the program under test, in the build folder of the running tests or benchmarks.
package func aircheckBinary() throws -> String { try builtBinary("aircheck") }

/// The path of a program of this package, in the build folder of the running tests or benchmarks.
package func builtBinary(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    guard access(path, X_OK) == 0 else { throw SetupError("\(name) is not built: \(path) does not exist") }
    return path
}
