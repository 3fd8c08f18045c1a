// SPDX-License-Identifier: MIT

import Control
import Engine
import Instants
import Playback
import RadioCore
import Stations
import Testing

@testable import aircheck

/// What is shown on the desktop about a player.
struct PlayerControlsTests {
    private let now = MonotonicInstant(nanoseconds: 1)

    private func progress(_ state: PlaybackState) -> PlayProgress {
        var player = PlayerSnapshot()
        player.status.state = state
        return PlayProgress(player: player)
    }

    private func station(_ kind: SourceKind) -> StationSnapshot {
        let info = StationInfo(kind: kind, name: "FIP", url: "https://radio.example/fip")
        return StationSnapshot(activity: .delivering, info: info, position: Position(), isDelivering: true)
    }

    @Test("A pause is shown as stopped if the desktop asked for a stop, until playback resumes") func stop() {
        func status(_ state: PlaybackState, isStopped: Bool) -> MPRISState.Status {
            PlayerControls.state(progress(state), nil, isStopped: isStopped, at: now).status
        }
        #expect(status(.paused, isStopped: false) == .paused && status(.paused, isStopped: true) == .stopped)
        #expect(status(.playing, isStopped: true) == .playing)
        for request in [PlayRequest.resume, .togglePause, .next, .previous] {
            #expect(!PlayerControls.isStopped(by: request, before: true))
        }
        #expect(PlayerControls.isStopped(by: .pause, before: true))
        #expect(!PlayerControls.isStopped(by: .pause, before: false))
    }

    @Test("A station's name is shown as the album, and a file has no album") func album() {
        #expect(PlayerControls.state(progress(.playing), station(.live), at: now).station == "FIP")
        let file = PlayerControls.state(progress(.playing), station(.finite), at: now)
        #expect(file.station == nil && file.title == "FIP")
    }

    @Test(
        "A terminal that cannot rewrite a line gets no live line",
        arguments: [
            (nil, false), ("", false), ("dumb", false), ("unknown", false), ("xterm-256color", true), ("linux", true),
        ] as [(String?, Bool)])
    func terminalType(type: String?, canRewrite: Bool) {
        #expect(Console.canRewrite(terminal: type) == canRewrite)
    }
}
