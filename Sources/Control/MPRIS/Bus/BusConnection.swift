// SPDX-License-Identifier: MIT

import CLibSystemd
import EventLoop
import Instants

/// A connection to a message bus, serving one object there. Never blocks: if a bus accepts no data or never answers,
/// the only cost is a timer.
final class BusConnection {
    /// The owner's callbacks, always called from the event loop and never inside a call by the owner.
    struct Handlers {
        var onCall: (BusCall) -> Result<[BusValue], BusRefusal>
        /// The reply to ``requestName(_:)``: whether this connection owns the name.
        var onName: (Bool) -> Void
        /// The connection has ended for good.
        var onEnd: () -> Void
    }

    private var bus: OpaquePointer?
    private let object: String
    private let handlers: Handlers
    private let reactor: any Reactor
    private var watch: (any SocketWatch)?
    private var timer: (any ReactorTimer)?

    /// The maximum number of messages processed per turn of the loop; the rest wait for the next turn.
    private static let mostAtOnce = 32

    /// Why sd-bus is unavailable on this machine; nil if it is available. Opens the library.
    static var fault: String? { ac_systemd_problem().map { String(cString: $0) } }

    /// Starts connecting to a Unix socket, without blocking. Returns nil if nothing listens at the address or its
    /// backlog is full. Read ``fault`` first, on a thread that may block: it opens the library.
    init?(reactor: any Reactor, address: String, object: String, handlers: Handlers) {
        self.reactor = reactor
        self.object = object
        self.handlers = handlers
        guard Self.fault == nil else { return nil }
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard ac_bus_open(&bus, address, object, callCame, nameAnswered, context) >= 0 else { return nil }
        timer = reactor.makeTimer { [unowned self] in work() }
        watchAgain(isBusy: false)
    }

    deinit { close() }

    /// Closes the connection without calling any handler. Idempotent.
    func close() {
        timer?.cancel()
        timer = nil
        // The watch must be cancelled before the descriptor is closed.
        watch?.cancel()
        watch = nil
        guard let bus else { return }
        self.bus = nil
        ac_bus_close(bus)
    }

    /// Requests a name that nobody else owns; the reply arrives once the connection is established.
    func requestName(_ name: String) {
        guard let bus else { return }
        guard ac_bus_request_name(bus, name) >= 0 else { return endSoon() }
        watchAgain(isBusy: false)
    }

    /// The number of queued messages that the bus has not taken yet.
    var unsent: UInt64 { bus.map { ac_bus_unsent($0) } ?? 0 }

    /// Sends a signal from the object.
    func emit(_ interface: String, _ member: String, _ values: [BusValue]) {
        guard let bus else { return }
        var signal: OpaquePointer?
        guard ac_bus_new_signal(bus, object, interface, member, &signal) >= 0, let signal else { return }
        send(signal, values)
        watchAgain(isBusy: false)
    }

    private func work() {
        var left = Self.mostAtOnce
        while left > 0, let bus {
            let status = ac_bus_process(bus)
            guard status >= 0 else { return end() }
            if status == 0 { break }
            left -= 1
        }
        watchAgain(isBusy: left == 0)
    }

    private func watchAgain(isBusy: Bool) {
        guard let bus else { return }
        var (descriptor, events, deadline): (CInt, CInt, UInt64) = (-1, 0, .max)
        guard ac_bus_poll(bus, &descriptor, &events, &deadline) >= 0 else { return endSoon() }
        if watch == nil { watch = reactor.watch(descriptor) { [unowned self] _ in work() } }
        var interest: Readiness = []
        if events & Self.readable != 0 { interest.insert(.read) }
        if events & Self.writable != 0 { interest.insert(.write) }
        watch?.interest = interest
        if isBusy {
            timer?.arm(at: reactor.now)
        } else if deadline == .max {
            timer?.cancel()
        } else {
            timer?.arm(at: MonotonicInstant(nanoseconds: Int64(clamping: min(deadline, .max / 1_000) * 1_000)))
        }
    }

    /// `POLLIN` and `POLLOUT`.
    private static let (readable, writable): (CInt, CInt) = (1, 4)

    /// Ends the connection on a later turn of the loop, never inside a call by the owner.
    private func endSoon() {
        reactor.defer { [weak self] in self?.end() }
    }

    private func end() {
        guard bus != nil else { return }
        close()
        handlers.onEnd()
    }

    fileprivate func answer(_ message: OpaquePointer) {
        switch handlers.onCall(BusReader.call(message)) {
        case .success(let values):
            var reply: OpaquePointer?
            if ac_bus_new_reply(message, &reply) >= 0, let reply { send(reply, values) }
        case .failure(let refusal): _ = ac_bus_refuse(message, refusal.name, refusal.text)
        }
    }

    fileprivate func named(_ isOurs: Bool) { handlers.onName(isOurs) }

    private func send(_ message: OpaquePointer, _ values: [BusValue]) {
        defer { ac_bus_free(message) }
        // A failed send means that the connection failed, which the next `work()` detects.
        if values.allSatisfy({ BusWriter.append($0, to: message) }) { _ = ac_bus_send(message) }
    }
}

/// sd-bus's callbacks. `close` and `deinit` close the bus, so the connection outlives every callback.
private func callCame(_ context: UnsafeMutableRawPointer?, _ call: OpaquePointer) {
    guard let context else { return }
    Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().answer(call)
}

private func nameAnswered(_ context: UnsafeMutableRawPointer?, _ isOurs: Bool) {
    guard let context else { return }
    Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().named(isOurs)
}
