// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Keeps time while there is no output: how long audio waits for an output, and how long the output has been lost.
final class OutputWatch {
    /// The loss of an output.
    struct Loss {
        var since: MonotonicInstant
        /// How far behind the live edge playback was when the output was lost.
        var behind: Duration

        /// After a shorter loss, a programme resumes where it was.
        private static let longestReturn = Duration.seconds(10)
        /// A player that is closer to the live edge counts as following the live programme.
        private static let nearEdge = Duration.seconds(60)

        /// Whether a live programme resumes at its live edge when there is an output again. A player that was far
        /// behind the live edge resumes where it was.
        func leadsToLiveEdge(_ now: MonotonicInstant) -> Bool {
            now - since > Self.longestReturn && behind < Self.nearEdge
        }
    }

    /// Called when audio has waited too long for an output, once for each wait.
    var onGiveUp: (() -> Void)?
    private(set) var loss: Loss?
    private var isOpen = false
    private let patience: Duration?
    private let reactor: any Reactor
    private var timer: (any ReactorTimer)?

    /// `patience` is the longest wait; nil for ever.
    init(patience: Duration?, reactor: any Reactor) {
        self.patience = patience
        self.reactor = reactor
    }

    /// Starts the wait, unless there is an output. Call it when there is audio to play; before that, the source limits
    /// how long the player waits.
    func audioWaits() {
        guard let patience, timer == nil, !isOpen else { return }
        timer = reactor.makeTimer { [weak self] in self?.onGiveUp?() }
        timer?.arm(at: reactor.now + patience)
    }

    func lost(behind: Duration) {
        isOpen = false
        loss = loss ?? Loss(since: reactor.now, behind: behind)
    }

    /// Ends the wait. Returns the loss that is over, if there was one.
    func opened() -> Loss? {
        (timer, isOpen) = (nil, true)
        return loss.take()
    }

    func stop() { timer = nil }
}
