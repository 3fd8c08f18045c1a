// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// Notices when a player waits for audio for longer than a cushion takes to fill.
final class WaitWatch {
    /// Called once for each long wait.
    var onLongWait: (() -> Void)?
    private let reactor: any Reactor
    private var timer: (any ReactorTimer)?

    private static let long = Duration.seconds(2)

    init(_ reactor: any Reactor) { self.reactor = reactor }

    func note(_ state: PlaybackState) {
        switch state {
        case .prebuffering, .rebuffering(.slow), .rebuffering(.stalled), .rebuffering(.growing),
            .rebuffering(.reconnecting):
            begin()
        default: timer = nil
        }
    }

    private func begin() {
        guard timer == nil else { return }
        timer = reactor.makeTimer { [weak self] in self?.onLongWait?() }
        timer?.arm(at: reactor.now + Self.long)
    }
}
