// SPDX-License-Identifier: MIT

import Engine
import Instants
import Playback
import RadioCore
import RadioFormats

/// The object that `play --json` prints. Its members are fixed; new members may be added.
enum PlayReport {
    /// The report of a player that could not begin.
    static func object(_ failure: Failure) -> JSONObject {
        var player = PlayerSnapshot()
        player.status.stopReason = .error
        return object(PlayOutcome(player: player, failure: failure))
    }

    static func object(_ outcome: PlayOutcome) -> JSONObject {
        let player = outcome.player
        var object = JSONObject()
        object.append("seconds", .seconds(player.heard.inSeconds))
        object.append("ended", .string(word(player.status.stopReason)))
        object.append("breaks", .integer(Int64(player.underruns)))
        object.append("skipped_seconds", .seconds(player.skipped.inSeconds))
        object.append("damaged_frames", .integer(Int64(player.damagedFrames)))
        object.append("title", player.title.map { .string($0) } ?? .null)
        if let items = outcome.items { object.append("items", .array(items.map { .object(item($0)) })) }
        object.append("error", outcome.failure.map(ReportJSON.error) ?? .null)
        return object
    }

    private static func item(_ item: PlayedItem) -> JSONObject {
        var object = JSONObject()
        object.append("source", .string(item.source))
        object.append("title", item.title.map { .string($0) } ?? .null)
        object.append("ended", .string(word(item.end)))
        object.append("seconds", .seconds(item.heard.inSeconds))
        let failure: Failure? = if case .failed(let failure) = item.end { failure } else { nil }
        object.append("error", failure.map(ReportJSON.error) ?? .null)
        return object
    }

    private static func word(_ end: ItemEnd?) -> String {
        switch end {
        case .playedToItsEnd: "end"
        case .skipped: "skipped"
        case .stopped, nil: "stopped"
        case .failed: "error"
        }
    }

    private static func word(_ reason: StopReason) -> String {
        switch reason {
        case .none: "none"
        case .endOfStream: "end"
        case .user: "user"
        case .error: "error"
        case .temporary: "temporary"
        }
    }
}
