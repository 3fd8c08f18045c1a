// SPDX-License-Identifier: MIT

import Control
import RadioFormats

/// The recordings of a daemon, which it lists in pages.
enum RecordingPages {
    private static let pageSize = 200

    /// Calls `body` with the ID of each recording of a station, or of all stations, the newest first.
    static func each(_ client: ControlClient, station: String?, _ body: (String) throws -> Void) throws {
        var next: JSONValue?
        repeat {
            let target = ControlTarget("/v1/recordings").adding("station", station).adding("limit", "\(pageSize)")
                .adding("after", next?["after"]?.stringValue)
                .adding("after_time", next?["after_time"]?.integerValue.map { "\($0)" })
            let answer = try DaemonQuestion.ask(client, target)
            for id in (answer["recordings"]?.arrayValue ?? []).compactMap({ $0["id"]?.stringValue }) { try body(id) }
            next = answer["next"]
        } while next != nil
    }
}
