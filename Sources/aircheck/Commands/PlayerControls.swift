// SPDX-License-Identifier: MIT

import Control
import Engine
import Instants
import Playback
import RadioCore
import Stations

/// What keys and the desktop's buttons mean for a player, and what the desktop is shown of it. Pure.
enum PlayerControls {
    enum Action: Hashable {
        case ask(PlayRequest)
        /// Ends everything, as Ctrl-C does.
        case quit
        case help
        case redraw
        case nothing
    }

    static func action(_ key: KeyCommand) -> Action {
        switch key {
        case .togglePause: .ask(.togglePause)
        case .goLive: .ask(.liveEdge)
        case .seek(let distance): .ask(.seek(distance))
        case .changeVolume(let change): .ask(.changeVolume(change))
        case .toggleMute: .ask(.toggleMute)
        case .quit: .quit
        case .showHelp: .help
        case .redraw: .redraw
        case .next, .previous, .changeRepeat, .toggleShuffle: .nothing
        }
    }

    static func action(_ request: MPRISRequest) -> Action {
        switch request {
        case .play: .ask(.resume)
        // A desktop's stop button leaves a recording beside it alone.
        case .pause, .stop: .ask(.pause)
        case .playPause: .ask(.togglePause)
        case .seek(let distance): .ask(.seek(distance))
        case .setVolume(let volume): .ask(.volume(volume))
        case .quit: .quit
        case .next, .previous, .setPosition, .setLoop, .setShuffle: .nothing
        }
    }

    static func state(_ player: PlayerSnapshot, _ programme: ProgrammeSnapshot?, at now: MonotonicInstant) -> MPRISState
    {
        var state = MPRISState()
        state.status =
            switch player.status.state {
            case .paused: .paused
            case .idle, .stopping, .stopped: .stopped
            case .opening, .prebuffering, .playing, .rebuffering, .draining: .playing
            }
        let info = programme?.station?.info
        state.title = player.title ?? info?.name
        state.station = info?.name
        state.url = info?.url
        state.volume = player.volume ?? 1
        state.position = MPRISPosition(read: player.heard, at: now, isMoving: player.status.state == .playing)
        return state
    }
}
