// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import SoundOutput

/// A sound server in virtual time: it keeps every sample that it played.
final class VirtualSound: SoundOutput {
    /// How much faster the server's clock runs than the reactor's, in parts per million.
    var clockError = 0.0
    /// Whether there is a server.
    private(set) var isUp = true
    /// The first channel of all samples that were played, if `keeps`.
    private(set) var played: [Float] = []
    var keeps = true
    private(set) var opens = 0
    private(set) var rates: [Int] = []
    /// For each stream, whether its rate may change.
    private(set) var variableRates: [Bool] = []
    private(set) var titles: [String] = []
    var onEvent: ((SoundEvent) -> Void)?

    private let reactor: any Reactor
    private var format: PCMFormat?
    private var isPaused = true
    private var hasStream = false
    private var isDraining = false
    private var hasRunOut = true
    private var rate = 0
    private var moved: MonotonicInstant
    /// The number of samples played, including the fraction of the next sample.
    private var progress = 0.0
    private var queue: [Float] = []
    private(set) var written: Int64 = 0
    private(set) var heard: Int64 = 0

    private static let length = Duration.seconds(1)

    init(_ reactor: any Reactor) {
        self.reactor = reactor
        moved = reactor.now
    }

    // MARK: Control by tests

    func goDown() {
        isUp = false
        guard hasStream else { return }
        hasStream = false
        onEvent?(.lost(.gone("test")))
    }

    func comeUp() { isUp = true }

    func hold(_ isHeld: Bool) { onEvent?(.heldByServer(isHeld)) }

    /// The time at which the server needs more samples or has an event to report.
    var nextInstant: MonotonicInstant? {
        if isUp, !hasStream, format != nil { return reactor.now }
        guard hasStream, !isPaused, heard < written else { return nil }
        return hasRunOut ? reactor.now : reactor.now + .milliseconds(250)
    }

    /// Reports the events since the last call.
    func catchUp() {
        if isUp, !hasStream, format != nil {
            hasStream = true
            opens += 1
            (written, heard, progress, queue, hasRunOut) = (0, 0, 0, [], true)
            moved = reactor.now
            onEvent?(.opened)
        }
        play()
    }

    private func play() {
        let now = reactor.now
        defer { moved = now }
        guard hasStream, !isPaused, let format, heard < written else { return }
        if hasRunOut {
            hasRunOut = false
            moved = now
            onEvent?(.started)
            return
        }
        progress += (now - moved).inSeconds * Double(rate) * (1 + clockError / 1e6)
        let count = min(Int64(progress), written - heard)
        progress -= Double(count)
        if keeps {
            for index in 0..<Int(count) { played.append(queue[index * format.channels]) }
            queue.removeFirst(Int(count) * format.channels)
        }
        heard += count
        guard heard == written else { return }
        hasRunOut = true
        progress = 0
        if isDraining {
            isDraining = false
            onEvent?(.drained)
        } else {
            onEvent?(.underrun)
        }
    }

    // MARK: SoundOutput

    func prepare() {}

    func open(_ format: PCMFormat, hasVariableRate: Bool, isPaused: Bool) {
        variableRates.append(hasVariableRate)
        self.format = format
        self.isPaused = isPaused
        rate = format.sampleRate
        (hasStream, isDraining) = (false, false)
    }

    func close() {
        play()
        (format, hasStream) = (nil, false)
    }

    var room: Int {
        guard hasStream, let format else { return 0 }
        return max(0, format.samples(in: Self.length) - Int(written - heard))
    }

    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int) {
        guard hasStream, let format else { return }
        play()
        let rewind = min(Int64(rewind), written - heard)
        written -= rewind
        if keeps {
            queue.removeLast(Int(rewind) * format.channels)
            queue += values
        }
        written += Int64(values.count / format.channels)
        isDraining = false
    }

    var latency: Duration? { .zero }

    func setPaused(_ isPaused: Bool) {
        play()
        self.isPaused = isPaused
        hasRunOut = true
    }

    func setRate(_ hertz: Int) {
        play()
        rate = hertz
        rates.append(hertz)
    }

    func drain() {
        isDraining = true
        if hasStream, heard == written {
            isDraining = false
            onEvent?(.drained)
        }
    }

    func setVolume(_ volume: Double) {}
    func setMuted(_ isMuted: Bool) {}
    func setTitle(_ title: String) { titles.append(title) }
    func wait(until deadline: MonotonicInstant?, or descriptor: CInt?) {}
    var wakeUp: @Sendable () -> Void { {} }
}
