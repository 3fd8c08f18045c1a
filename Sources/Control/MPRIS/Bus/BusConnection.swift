// SPDX-License-Identifier: MIT

import CLibSystemd
import EventLoop
import Instants

/// A connection to a message bus, which speaks for one object there. Confined to the loop's thread; nothing in it
/// waits: a bus that takes nothing, or never answers, costs a timer.
final class BusConnection {
    /// What is asked of the owner, always later than the call that brought it about, or from inside the loop's own.
    struct Handlers {
        var onCall: (BusCall) -> Result<[BusValue], BusRefusal>
        /// The answer to ``requestName(_:)``: whether it is ours.
        var onName: (Bool) -> Void
        /// The connection is gone, for good.
        var onEnd: () -> Void
    }

    private var bus: OpaquePointer?
    private let object: String
    private let handlers: Handlers
    private let reactor: any Reactor
    private var watch: (any SocketWatch)?
    private var timer: (any ReactorTimer)?

    /// Messages that one turn of the loop handles; the rest waits for the next one.
    private static let mostAtOnce = 32

    /// Why there is no sd-bus on this machine; nil where there is one. Opens the library.
    static var fault: String? { ac_systemd_problem().map { String(cString: $0) } }

    /// Begins to connect to a Unix socket, without waiting for it. Nil where nobody listens at the address, or too many
    /// wait there already. The library has been opened: see ``fault``.
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

    /// Ends it without a word to anybody. Idempotent.
    func close() {
        timer?.cancel()
        timer = nil
        // Before the descriptor is closed.
        watch?.cancel()
        watch = nil
        guard let bus else { return }
        self.bus = nil
        ac_bus_close(bus)
    }

    /// Asks for a name that nobody else has; the answer comes as soon as the connection is there.
    func requestName(_ name: String) {
        guard let bus else { return }
        guard ac_bus_request_name(bus, name) >= 0 else { return endSoon() }
        watchAgain(isBusy: false)
    }

    /// Messages that the bus has not taken yet.
    var unsent: UInt64 { bus.map { ac_bus_unsent($0) } ?? 0 }

    /// Sends a signal of the object.
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

    /// Never inside of a call of the owner's.
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
        // A failure to send is one of the connection, which the next piece of work finds.
        if values.allSatisfy({ BusWriter.append($0, to: message) }) { _ = ac_bus_send(message) }
    }
}

/// sd-bus's callbacks. The bus is closed in `close` or `deinit`, so the connection is there.
private func callCame(_ context: UnsafeMutableRawPointer?, _ call: OpaquePointer) {
    guard let context else { return }
    Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().answer(call)
}

private func nameAnswered(_ context: UnsafeMutableRawPointer?, _ isOurs: Bool) {
    guard let context else { return }
    Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().named(isOurs)
}
