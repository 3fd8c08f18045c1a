// SPDX-License-Identifier: MIT

import Control
import Glibc
import RadioCore
import RadioFormats

/// Resolves a station's ID to its relay address at the running daemon.
enum RelayedStation {
    /// The address at which the daemon relays the station; nil if the text can be anything else, or if no daemon on
    /// this machine relays such a station.
    static func url(of text: String, _ client: ControlClient) -> String? {
        guard !text.isEmpty, !text.contains("/"), !text.contains(":"), text != "-", access(text, F_OK) != 0,
            let status = try? client.ask(ControlTarget("/v1/status"), timeout: .seconds(5))
        else { return nil }
        let station = status["stations"]?.arrayValue?.first { $0["id"]?.stringValue == text }
        return station?["urls"]?.arrayValue?.first?.stringValue
    }
}
