// SPDX-License-Identifier: MIT

import CLibEvent

/// A descriptor watched by libevent, level-triggered. Releasing the object cancels the watch.
///
/// An error or hang-up of the descriptor is reported as readiness for each direction in the interest: the next read or
/// write returns the cause.
final class LibeventSocketWatch: SocketWatch {
    private let reactor: LibeventReactor
    private let descriptor: CInt
    private let handler: (Readiness) -> Void
    private var event: OpaquePointer?
    /// Watches the descriptor instead of `event`; nil unless the watch is coalesced.
    private var coalescer: CoalescedSockets?

    init(reactor: LibeventReactor, descriptor: CInt, handler: @escaping (Readiness) -> Void) {
        self.reactor = reactor
        self.descriptor = descriptor
        self.handler = handler
        event = ac_event_socket_create(
            reactor.base, descriptor, socketReady, Unmanaged.passUnretained(self).toOpaque())
        precondition(event != nil, "out of memory for a socket watch")
    }

    deinit {
        coalescer?.remove(descriptor)
        if let event { ac_event_free(event) }
    }

    var interest: Readiness = [] {
        didSet {
            reactor.checkThread()
            if interest != oldValue { register() }
        }
    }

    var isCoalesced = false {
        didSet {
            reactor.checkThread()
            if isCoalesced != oldValue { register() }
        }
    }

    func cancel() {
        reactor.checkThread()
        guard let event else { return }
        self.event = nil
        leaveCoalescer()
        ac_event_free(event)
    }

    /// Calls the handler.
    func report(_ readiness: Readiness) { handler(readiness) }

    private func register() {
        guard let event else { return }
        leaveCoalescer()
        let coalesces = isCoalesced && interest == .read && joinCoalescer()
        let wanted = coalesces ? [] : interest
        let result = ac_event_socket_want(event, wanted.contains(.read), wanted.contains(.write))
        precondition(result == 0, "a descriptor cannot be watched: it is not open, or a file")
    }

    private func joinCoalescer() -> Bool {
        guard let shared = reactor.coalescedSockets(), shared.add(descriptor, self) else { return false }
        coalescer = shared
        return true
    }

    private func leaveCoalescer() {
        coalescer?.remove(descriptor)
        coalescer = nil
    }

    fileprivate func ready(_ what: Int16) {
        var readiness: Readiness = []
        if what & Int16(AC_EVENT_READ) != 0 { readiness.insert(.read) }
        if what & Int16(AC_EVENT_WRITE) != 0 { readiness.insert(.write) }
        report(readiness)
    }
}

/// libevent's callback. `cancel` and `deinit` free the event, so the watch exists; it is retained during the call.
private func socketReady(_: CInt, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LibeventSocketWatch>.fromOpaque(context).takeUnretainedValue().ready(what)
}
