// SPDX-License-Identifier: MIT

import TestSupport
import TestTools

/// A player of stations, started as a user would start it.
enum SoundProgram: String, CaseIterable {
    case aircheck, mpg123, mpv

    func start(_ url: String, on server: PulseServer) throws -> ChildProcess {
        switch self {
        case .aircheck: try ChildProcess(aircheckBinary(), ["play", url], environment: server.environment)
        case .mpg123: try ChildProcess(.mpg123, ["-q", "-o", "pulse", url], environment: server.environment)
        case .mpv:
            try ChildProcess(
                .mpv, ["--no-config", "--no-terminal", "--no-video", "--ao=pulse", url],
                environment: server.environment)
        }
    }
}
