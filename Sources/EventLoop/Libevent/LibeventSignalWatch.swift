// SPDX-License-Identifier: MIT

import CLibEvent

/// A signal watched by libevent. Releasing the object cancels the watch.
///
/// libevent's handler writes to a socket pair of the loop, so no signal is blocked and no thread needs preparation. The
/// signal's former disposition is restored when the watch ends. The handler serves a single loop: the last one that
/// watched a signal.
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

/// libevent's callback. `cancel` and `deinit` free the event, so the watch exists; it is retained during the call.
private func signalCame(_: CInt, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LibeventSignalWatch>.fromOpaque(context).takeUnretainedValue().fire()
}
