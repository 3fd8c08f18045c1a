// SPDX-License-Identifier: MIT

import CLibEvent

/// A signal that libevent watches. Dropping it cancels it.
///
/// libevent installs a handler that writes to a socket pair of the loop (no signal is blocked, no thread need be set
/// up for it), and puts the former disposition back at the end. The handler knows one loop: the last that watched.
final class LibeventSignalWatch: SignalWatch {
    private let reactor: LibeventReactor
    private let handler: () -> Void
    private var event: OpaquePointer?

    init(reactor: LibeventReactor, number: CInt, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.handler = handler
        event = ac_event_signal_create(reactor.base, number, signalCame, Unmanaged.passUnretained(self).toOpaque())
        precondition(event != nil, "signal \(number) cannot be watched")
    }

    deinit {
        if let event { ac_event_free(event) }
    }

    func cancel() {
        reactor.checkThread()
        guard let event else { return }
        self.event = nil
        ac_event_free(event)
    }

    fileprivate func fire() { handler() }
}

/// libevent's callback. The event is freed in `cancel` or `deinit`, so the watch is there; it is held for the call.
private func signalCame(_: CInt, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LibeventSignalWatch>.fromOpaque(context).takeUnretainedValue().fire()
}
