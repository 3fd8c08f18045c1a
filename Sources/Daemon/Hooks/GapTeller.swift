// SPDX-License-Identifier: MIT

package import EventLoop
import Instants

/// Passes events on to hooks, and those about gaps at the pace of ``GapPace``. Confined to the loop's thread.
package final class GapTeller {
    private let reactor: any Reactor
    private let tell: (HookEvent) -> Void
    private var pace = GapPace()
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    /// `tell` gets each event that hooks are to be told of, also inside ``hear(_:)``.
    package init(reactor: any Reactor, tell: @escaping (HookEvent) -> Void) {
        self.reactor = reactor
        self.tell = tell
    }

    /// Passes an event on, now or with later ones.
    package func hear(_ event: HookEvent) {
        if let event = pace.admit(event, at: reactor.now) { tell(event) }
        arm()
    }

    /// Passes on what has been gathered so far, at the end of the daemon.
    package func finish() {
        timer.cancel()
        for event in pace.takeAll() { tell(event) }
    }

    private func due() {
        for event in pace.takeDue(at: reactor.now) { tell(event) }
        arm()
    }

    private func arm() {
        if let due = pace.due { timer.arm(at: due) }
    }
}
