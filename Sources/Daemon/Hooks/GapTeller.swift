// SPDX-License-Identifier: MIT

package import EventLoop
import Instants

/// Passes events on to hooks; limits events about gaps by ``GapPace``.
package final class GapTeller {
    private let reactor: any Reactor
    private let tell: (HookEvent) -> Void
    private var pace = GapPace()
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }
    private lazy var changeTimer = reactor.makeTimer { [weak self] in self?.onChange?() }

    /// Called after ``waiting`` has changed, at most once a second.
    package var onChange: (() -> Void)?
    private static let changeInterval = Duration.seconds(1)

    /// `tell` is called with each event for the hooks, possibly during ``hear(_:)``.
    package init(reactor: any Reactor, tell: @escaping (HookEvent) -> Void) {
        self.reactor = reactor
        self.tell = tell
    }

    /// Passes an event on at once, or later, merged with others.
    package func hear(_ event: HookEvent) {
        if let event = pace.admit(event, at: reactor.now) {
            tell(event)
        } else if !changeTimer.isArmed {
            changeTimer.arm(at: reactor.now + Self.changeInterval)
        }
        arm()
    }

    /// The events that wait. If the process is killed, the next run of the daemon passes them on.
    package var waiting: [HookEvent] { pace.gathered }

    /// Passes on the events gathered so far, at the end of the daemon.
    package func finish() {
        timer.cancel()
        changeTimer.cancel()
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
