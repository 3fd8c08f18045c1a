// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import Platform
package import RadioCore

/// An output without a loudspeaker: audio passes in real time, by the monotonic clock, and is not heard. For measuring
/// how loud a programme is.
package final class SilentOutput: SoundOutput {
    package var onEvent: ((SoundEvent) -> Void)?
    package private(set) var written: Int64 = 0

    private let waker = try? Waker()
    private var format: PCMFormat?
    /// Samples a second.
    private var rate = 0
    private var isPaused = true
    private var isOpening = false
    private var isDraining = false
    /// When ``passed`` was last updated.
    private var began = MonotonicInstant.read()
    /// How many samples had passed by ``began``.
    private var passed: Int64 = 0
    private var hasRunOut = true

    /// How much audio the output holds.
    private static let length = Duration.seconds(2)
    private static let interval = Duration.milliseconds(500)

    package init() {}

    package func prepare() {}

    package func open(_ format: PCMFormat, hasVariableRate: Bool, isPaused: Bool) {
        (self.format, self.isPaused, rate) = (format, isPaused, format.sampleRate)
        (written, passed, hasRunOut, isDraining, isOpening) = (0, 0, true, false, true)
    }

    package func close() { format = nil }

    package var room: Int {
        guard let format, !isOpening else { return 0 }
        return max(0, format.samples(in: Self.length) - Int(written - heard))
    }

    package func write(_ values: UnsafeBufferPointer<Float>, rewind: Int) {
        guard let format, !isOpening else { return }
        settle()
        written = max(heard, written - Int64(rewind)) + Int64(values.count / format.channels)
    }

    package var heard: Int64 {
        guard format != nil, !isPaused, !hasRunOut else { return passed }
        return min(written, passed + Int64((.read() - began).inSeconds * Double(rate)))
    }

    package var latency: Duration? { .zero }

    package func setPaused(_ isPaused: Bool) {
        settle()
        self.isPaused = isPaused
    }

    package func setRate(_ hertz: Int) {
        settle()
        rate = hertz
    }

    package func drain() { isDraining = true }
    package func setVolume(_ volume: Double) {}
    package func setMuted(_ isMuted: Bool) {}
    package func setTitle(_ title: String) {}

    /// Brings ``passed`` up to date.
    private func settle() {
        passed = heard
        began = .read()
        if written > passed { hasRunOut = false }
    }

    package var wakeUp: @Sendable () -> Void {
        { [waker] in waker?.wakeUp() }
    }

    package func wait(until deadline: MonotonicInstant?, or descriptor: CInt?) {
        if tell() { return }
        let next = isPaused || format == nil ? nil : MonotonicInstant.read() + Self.interval
        let until = [deadline, next].compactMap(\.self).min()
        let left = until.map { max(0, ($0 - .read()).wholeNanoseconds + 999_999) / 1_000_000 } ?? -1
        // Without a waker, because no descriptor was left, the output polls.
        if let waker { _ = waker.wait(milliseconds: CInt(clamping: left), or: descriptor) } else { poll(nil, 0, 100) }
        _ = tell()
    }

    /// Reports an event if there is one. Returns whether an event was reported.
    private func tell() -> Bool {
        guard format != nil else { return false }
        if isOpening {
            isOpening = false
            onEvent?(.opened)
            return true
        }
        guard !isPaused, !hasRunOut || isDraining, heard == written else {
            if !isPaused, hasRunOut, written > passed { settle() }
            return false
        }
        settle()
        hasRunOut = true
        onEvent?(isDraining ? .drained : .underrun)
        isDraining = false
        return true
    }
}
