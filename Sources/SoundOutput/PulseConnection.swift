// SPDX-License-Identifier: MIT

import CLibPulse

/// A connection to a sound server, from the first attempt to its end. libpulse's callbacks only queue signals for
/// ``take()``: they decide nothing.
final class PulseConnection {
    enum Signal {
        case ready
        case failed
        case sinkInputChanged(UInt32)
        case volume(UInt32, Double, isMuted: Bool)
        case device(SoundDevice)
        case devicesEnd(error: CInt)
    }

    private let loop: PulseLoop
    private(set) var handle: OpaquePointer?
    private(set) var signals: [Signal] = []
    private(set) var isReady = false

    /// Begins to connect. Throws if that fails at once.
    init(loop: PulseLoop, settings: PulseSettings) throws(PulseFailure) {
        self.loop = loop
        var error: CInt = 0
        var hooks = ac_pulse_context_hooks(
            context: Unmanaged.passUnretained(self).toOpaque(), state: stateHook, sink_input: sinkInputHook,
            volume: volumeHook, device: deviceHook, devices_end: devicesEndHook)
        let handle =
            if let server = settings.server {
                ac_pulse_context_create(
                    loop.handle, settings.applicationName, settings.applicationIcon, server, &hooks, &error)
            } else {
                ac_pulse_context_create(
                    loop.handle, settings.applicationName, settings.applicationIcon, nil, &hooks, &error)
            }
        guard let handle else { throw PulseFailure(error: error) }
        self.handle = handle
    }

    deinit {
        if let handle { ac_pulse_context_free(handle) }
    }

    /// Removes and returns the oldest signal; nil if there is none.
    func take() -> Signal? { signals.isEmpty ? nil : signals.removeFirst() }

    /// Why the last call failed.
    var failure: PulseFailure { PulseFailure(error: handle.map { ac_pulse_context_error($0) } ?? 0) }

    /// Subscribes to changes of all sink inputs; they arrive as signals.
    func subscribe() { if let handle { ac_pulse_context_subscribe(handle) } }

    /// Asks for a stream's volume; the answer arrives as a signal.
    func askVolume(of index: UInt32) { if let handle { ac_pulse_context_ask_volume(handle, index) } }

    func setVolume(_ volume: Double, of index: UInt32, channels: Int) {
        if let handle { ac_pulse_context_set_volume(handle, index, CInt(clamping: channels), volume) }
    }

    func setMuted(_ isMuted: Bool, of index: UInt32) {
        if let handle { ac_pulse_context_set_muted(handle, index, isMuted) }
    }

    /// Asks for all devices; they arrive as signals.
    func list() { if let handle { ac_pulse_context_list(handle) } }

    fileprivate func received(_ signal: Signal) {
        if case .ready = signal { isReady = true }
        signals.append(signal)
    }
}

/// An error of libpulse.
struct PulseFailure: Error {
    let error: CInt

    var words: String { PulseLibrary.words(for: error) }
}

// libpulse's callbacks. They do not retain the connection, which frees its context before it is deallocated.

private func connection(_ context: UnsafeMutableRawPointer) -> PulseConnection {
    Unmanaged<PulseConnection>.fromOpaque(context).takeUnretainedValue()
}

private func stateHook(_ context: UnsafeMutableRawPointer, _ state: ac_pulse_state) {
    connection(context).received(state == AC_PULSE_READY ? .ready : .failed)
}

private func sinkInputHook(_ context: UnsafeMutableRawPointer, _ index: UInt32) {
    connection(context).received(.sinkInputChanged(index))
}

private func volumeHook(_ context: UnsafeMutableRawPointer, _ index: UInt32, _ volume: Double, _ isMuted: Bool) {
    connection(context).received(.volume(index, volume, isMuted: isMuted))
}

private func deviceHook(_ context: UnsafeMutableRawPointer, _ device: UnsafePointer<ac_pulse_device>) {
    connection(context).received(.device(SoundDevice(device.pointee)))
}

private func devicesEndHook(_ context: UnsafeMutableRawPointer, _ error: CInt) {
    connection(context).received(.devicesEnd(error: error))
}
