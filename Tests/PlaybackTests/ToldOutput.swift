// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import SoundOutput

/// A sound output that records its settings, and never has a stream.
final class ToldOutput: SoundOutput {
    struct State: Hashable {
        var isPaused = true
        var volume: Double?
        var isMuted: Bool?
        var title: String?
    }

    private(set) var state = State() {
        didSet { onChange(state) }
    }
    var onChange: (State) -> Void = { _ in }
    /// Runs in ``wait(until:or:)``.
    var onWait: () -> Void = {}
    var onEvent: ((SoundEvent) -> Void)?

    func setPaused(_ isPaused: Bool) { state.isPaused = isPaused }
    func setVolume(_ volume: Double) { state.volume = volume }
    func setMuted(_ isMuted: Bool) { state.isMuted = isMuted }
    func setTitle(_ title: String) { state.title = title }
    func wait(until deadline: MonotonicInstant?, or descriptor: CInt?) { onWait() }

    func prepare() {}
    func open(_ format: PCMFormat, hasVariableRate: Bool, isPaused: Bool) {}
    func close() {}
    var room: Int { 0 }
    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int) {}
    var written: Int64 { 0 }
    var heard: Int64 { 0 }
    var latency: Duration? { nil }
    func setRate(_ hertz: Int) {}
    func drain() {}
    var wakeUp: @Sendable () -> Void { {} }
}
