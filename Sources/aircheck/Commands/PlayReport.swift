// SPDX-License-Identifier: MIT

import Engine
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
        return [
            "seconds": player.heard, "ended": word(player.status.stopReason), "breaks": player.underruns,
            "skipped_seconds": player.skipped, "damaged_frames": player.damagedFrames, "title": player.title,
            "items": (outcome.items?.map(item)).ifKnown, "error": outcome.failure.map(ReportJSON.error),
        ]
    }

    private static func item(_ item: PlayedItem) -> JSONObject {
        let failure: Failure? = if case .failed(let failure) = item.end { failure } else { nil }
        return [
            "source": item.source, "title": item.title, "ended": word(item.end), "seconds": item.heard,
            "error": failure.map(ReportJSON.error),
        ]
    }

    private static func word(_ end: ItemEnd?) -> String {
        switch end {
        case .playedToItsEnd: "end"
        case .skipped: "skipped"
        case .stopped, nil: "stopped"
        case .failed: "error"
        }
    }

    private static func word(_ reason: PlaybackStopReason) -> String {
        switch reason {
        case .none: "none"
        case .endOfStream: "end"
        case .user: "user"
        case .error: "error"
        case .temporary: "temporary"
        }
    }
}
