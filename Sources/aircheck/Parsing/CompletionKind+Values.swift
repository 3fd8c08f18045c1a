// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Engine
import RadioFormats
import SoundOutput

/// The values that shells offer for options. If the daemon or the sound server does not answer within a second, no
/// values are offered for these options, and nothing is printed.
extension CompletionKind {
    static let segments = list(["title", "none", "15m", "30m", "1h", "2h", "24h"])
    static let charsets = list(Charset.allCases.map(\.rawValue))
    static let configuration = file(extensions: ["toml"])

    /// The sound server's devices.
    static let devices = custom { _, _, _ in
        ((try? PlaySpec.devices(within: .seconds(1))) ?? []).map(\.name)
    }

    /// The IDs of the daemon's stations.
    static let stations = custom { words, _, _ in
        entries("stations", of: "/v1/status", words).compactMap { $0["id"]?.stringValue }
    }

    /// The IDs of the shows that are on air in the next week.
    static let shows = custom { words, _, _ in
        Set(entries("shows", of: "/v1/schedule", words).compactMap { $0["show"]?.stringValue }).sorted()
    }

    /// The numbers of the daemon's recordings that `aircheck stop` can end.
    static let stoppable = custom { words, _, _ in
        entries("stations", of: "/v1/status", words).flatMap { $0["recordings"].list }
            .compactMap { $0["number"]?.integerValue.map { "\($0)" } }
    }

    /// The IDs of the daemon's newest recordings.
    static let recordings = custom { words, _, _ in
        entries("recordings", of: "/v1/recordings", words).compactMap { $0["id"]?.stringValue }
    }

    /// An array in the daemon's answer. `words`: the command line, which may name a socket.
    private static func entries(_ key: String, of path: String, _ words: [String]) -> [JSONValue] {
        let socket = words.firstIndex(of: "--socket").flatMap { words.dropFirst($0 + 1).first }
        let answer = try? DaemonOptions.client(socket).ask(ControlTarget(path), timeout: .seconds(1))
        return answer?[key]?.arrayValue ?? []
    }
}
