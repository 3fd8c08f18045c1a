// SPDX-License-Identifier: MIT

import Control
import Engine
import Instants
import Playback
import RadioCore
import Stations

/// Maps keys and desktop requests to player actions, and the player's state to what the desktop shows. Pure.
enum PlayerControls {
    enum Action: Hashable, Sendable {
        case ask(PlayRequest)
        /// Ends the whole session, as Ctrl-C does.
        case quit
        case help
        /// Writes the live line again: another program has used the terminal.
        case redraw
        case nothing
    }

    static func action(_ request: MPRISRequest) -> Action {
        switch request {
        case .play: .ask(.resume)
        // The desktop's stop button only pauses, so that a concurrent recording continues.
        case .pause, .stop: .ask(.pause)
        case .playPause: .ask(.togglePause)
        case .seek(let distance): .ask(.seek(distance))
        case .setVolume(let volume): .ask(.volume(volume))
        case .quit: .quit
        case .next: .ask(.next)
        case .previous: .ask(.previous)
        case .setPosition(let position): .ask(.position(position))
        case .setLoop(let loop): .ask(.setRepeat(repeats(loop)))
        case .setShuffle(let isShuffled): .ask(.setShuffle(isShuffled))
        }
    }

    private static func repeats(_ loop: MPRISState.Loop) -> QueueRepeat {
        switch loop {
        case .off: .none
        case .track: .one
        case .queue: .all
        }
    }

    private static func loop(_ repeats: QueueRepeat) -> MPRISState.Loop {
        switch repeats {
        case .none: .off
        case .one: .track
        case .all: .queue
        }
    }

    static func isStop(_ request: MPRISRequest) -> Bool { request == .stop }

    /// Whether the player still counts as stopped by the desktop after `request`. `isStopped`: whether it counted as
    /// stopped before.
    static func isStopped(by request: PlayRequest, before isStopped: Bool) -> Bool {
        switch request {
        case .resume, .togglePause, .next, .previous: false
        default: isStopped
        }
    }

    static func state(
        _ progress: PlayProgress, _ station: StationSnapshot?, isStopped: Bool = false, at now: MonotonicInstant
    ) -> MPRISState {
        let player = progress.player
        var state = MPRISState()
        state.status =
            switch player.status.state {
            case .paused: isStopped ? .stopped : .paused
            case .idle, .stopping, .stopped: .stopped
            case .opening, .prebuffering, .playing, .rebuffering, .draining: .playing
            }
        let info = station?.info
        state.title = player.title ?? info?.name
        // The name that a server gives a file is not an album title.
        state.station = info?.kind == .live ? info?.name : nil
        state.url = info?.url
        state.volume = player.volume ?? 1
        state.position = MPRISPosition(
            read: player.position ?? player.heard, at: now,
            isMoving: [.playing, .draining].contains(player.status.state))
        guard let queue = progress.queue else { return state }
        if let title = queue.title, player.position != nil { state.title = title }
        state.length = player.length
        state.canSeek = player.position != nil
        state.canGoNext = queue.count > 1
        state.canGoPrevious = queue.count > 1
        state.queue = MPRISState.Queue(loop: loop(queue.repeats), isShuffled: queue.isShuffled)
        return state
    }
}
