// SPDX-License-Identifier: MIT

import Control
import EventLoop

/// Shows the player on the desktop: media keys and widgets. Connects when the first state is shown, so commands without
/// sound never look for a bus.
actor DesktopControls: LoopActor {
    nonisolated let loop: EventLoop
    private let tell: @Sendable (MPRISRequest) -> Void
    private var player: MPRISPlayer?

    /// `tell` is called on the loop's thread.
    init(loop: EventLoop, tell: @escaping @Sendable (MPRISRequest) -> Void) {
        self.loop = loop
        self.tell = tell
    }

    /// Whether this process runs in a desktop session with a message bus.
    static var isPossible: Bool { BusAddress.ofSession() != nil }

    func show(_ state: MPRISState) {
        let player = self.player ?? MPRISPlayer(reactor: loop.reactor, onRequest: tell)
        self.player = player
        player.update(state)
    }

    func close() {
        player?.close()
        player = nil
    }
}
