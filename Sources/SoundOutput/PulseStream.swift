// SPDX-License-Identifier: MIT

import CLibPulse
import RadioCore

/// A stream on a connection, from its request to its end. libpulse's callbacks only queue signals for ``take()``.
final class PulseStream {
    enum Signal {
        case ready
        case failed
        case wanted
        case underflow
        case started
        case moved(isOtherDevice: Bool)
        case asked(String)
        case timing
        case answered(ac_pulse_request, succeeded: Bool)
    }

    /// Kept because freeing the stream needs its connection.
    private let connection: PulseConnection
    private let bytesPerSample: Int
    private(set) var handle: OpaquePointer?
    private(set) var signals: [Signal] = []

    /// Requests a stream. Throws if that fails at once.
    init(on connection: PulseConnection, format: PCMFormat, plan: ac_pulse_stream_plan) throws(PulseFailure) {
        self.connection = connection
        bytesPerSample = format.bytesPerSample
        guard let context = connection.handle else { throw connection.failure }
        var plan = plan
        var hooks = ac_pulse_stream_hooks(
            context: Unmanaged.passUnretained(self).toOpaque(), state: stateHook, wanted: wantedHook,
            underflow: underflowHook, started: startedHook, moved: movedHook, asked: askedHook, timing: timingHook,
            answered: answeredHook)
        guard let handle = ac_pulse_stream_create(context, &plan, &hooks) else { throw connection.failure }
        self.handle = handle
    }

    deinit {
        if let handle { ac_pulse_stream_free(handle) }
    }

    /// Removes and returns the oldest signal; nil if there is none.
    func take() -> Signal? { signals.isEmpty ? nil : signals.removeFirst() }

    /// How many samples the server wants.
    var room: Int { handle.map { ac_pulse_stream_writable($0) / bytesPerSample } ?? 0 }

    /// How many samples the server's buffer takes before it drops any.
    var capacity: Int { handle.map { ac_pulse_stream_capacity($0) / bytesPerSample } ?? 0 }

    /// Writes whole samples, the first of them `rewind` samples before the end of the samples written earlier. Returns
    /// false if the library did not take them.
    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int) -> Bool {
        guard let handle, let base = values.baseAddress else { return false }
        let bytes = UnsafeRawBufferPointer(start: base, count: values.count * MemoryLayout<Float>.size)
        guard let start = bytes.baseAddress else { return false }
        return ac_pulse_stream_write(handle, start, bytes.count, -Int64(rewind * bytesPerSample)) == 0
    }

    /// The last timing update; nil before the first.
    var timing: ac_pulse_timing? {
        var timing = ac_pulse_timing()
        guard let handle, ac_pulse_stream_timing(handle, &timing) else { return nil }
        return timing
    }

    /// The count of samples at which the server's buffer last ran empty.
    var underflow: Int64 { handle.map { ac_pulse_stream_underflow_index($0) / Int64(bytesPerSample) } ?? 0 }

    /// The number of the stream, for requests about its volume.
    var index: UInt32 { handle.map { ac_pulse_stream_index($0) } ?? .max }

    /// The name of the sink that the stream plays on.
    var device: String? { handle.flatMap { ac_pulse_stream_device($0) }.map { String(cString: $0) } }

    var isSuspended: Bool { handle.map { ac_pulse_stream_is_suspended($0) } ?? false }

    // Each of these methods sends the server a request and returns whether that was possible; the answer arrives as a
    // signal.
    func cork(_ isCorked: Bool) -> Bool { handle.map { ac_pulse_stream_cork($0, isCorked) } ?? false }
    func drain() -> Bool { handle.map { ac_pulse_stream_drain($0) } ?? false }
    func setRate(_ hertz: Int) -> Bool { handle.map { ac_pulse_stream_set_rate($0, CInt(clamping: hertz)) } ?? false }
    func setTitle(_ title: String) -> Bool { handle.map { ac_pulse_stream_set_title($0, title) } ?? false }
    func askTiming() -> Bool { handle.map { ac_pulse_stream_ask_timing($0) } ?? false }

    fileprivate func received(_ signal: Signal) { signals.append(signal) }
}

// libpulse's callbacks. They do not retain the stream, which frees its own handle before it is deallocated.

private func stream(_ context: UnsafeMutableRawPointer) -> PulseStream {
    Unmanaged<PulseStream>.fromOpaque(context).takeUnretainedValue()
}

private func stateHook(_ context: UnsafeMutableRawPointer, _ state: ac_pulse_state) {
    stream(context).received(state == AC_PULSE_READY ? .ready : .failed)
}

private func wantedHook(_ context: UnsafeMutableRawPointer) { stream(context).received(.wanted) }
private func underflowHook(_ context: UnsafeMutableRawPointer) { stream(context).received(.underflow) }
private func startedHook(_ context: UnsafeMutableRawPointer) { stream(context).received(.started) }
private func timingHook(_ context: UnsafeMutableRawPointer) { stream(context).received(.timing) }

private func movedHook(_ context: UnsafeMutableRawPointer, _ isOtherDevice: Bool) {
    stream(context).received(.moved(isOtherDevice: isOtherDevice))
}

private func askedHook(_ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
    stream(context).received(.asked(String(cString: name)))
}

private func answeredHook(_ context: UnsafeMutableRawPointer, _ request: ac_pulse_request, _ succeeded: Bool) {
    stream(context).received(.answered(request, succeeded: succeeded))
}
