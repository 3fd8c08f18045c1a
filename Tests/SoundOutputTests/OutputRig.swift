// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport

@testable import SoundOutput

/// An output on the thread of the test, fed from a signal whenever it has room.
final class OutputRig {
    let output: PulseOutput
    let format: PCMFormat
    private(set) var events: [SoundEvent] = []
    /// The signal, interleaved; what has been written of it.
    var signal: [Float] = []
    var position = 0
    /// Writes no more than so many samples ahead of what is heard; nil for whatever the server wants.
    var isFed = true
    /// Every count of what was heard, as it was seen.
    private(set) var heard: [Int64] = []

    init(
        _ server: PulseServer, format: PCMFormat = PCMFormat(sampleRate: 44_100, channels: 2),
        _ change: (inout PulseSettings) -> Void = { _ in }
    ) {
        var settings = PulseSettings()
        settings.server = server.address
        change(&settings)
        output = PulseOutput(settings)
        self.format = format
        output.onEvent = { [unowned self] event in
            events.append(event)
            if event == .opened { heard = [] }
        }
    }

    /// Writes what there is room for, whole samples.
    func feed() {
        guard isFed else { return }
        let count = min(output.room, (signal.count - position) / format.channels)
        guard count > 0 else { return }
        write(position, count)
        position += count * format.channels
    }

    /// Writes so many samples of the signal from a value on.
    func write(_ start: Int, _ count: Int, rewind: Int = 0) {
        signal.withUnsafeBufferPointer { values in
            output.write(
                UnsafeBufferPointer(rebasing: values[start..<(start + count * format.channels)]), rewind: rewind)
        }
    }

    /// Waits and feeds until the condition holds, and says whether it did.
    func run(_ limit: Duration = .seconds(10), until condition: () -> Bool) -> Bool {
        let deadline = MonotonicInstant.read() + limit
        while true {
            feed()
            heard.append(output.heard)
            if condition() { return true }
            let now = MonotonicInstant.read()
            if now >= deadline { return false }
            output.wait(until: min(deadline, now + .milliseconds(20)))
        }
    }

    func runs(_ limit: Duration = .seconds(10), until event: SoundEvent) -> Bool {
        run(limit) { events.contains(event) }
    }

    /// Forgets the events so far.
    func forget() { events = [] }

    var losses: [SoundError] {
        events.compactMap { if case .lost(let error) = $0 { error } else { nil } }
    }
}

/// Noise without a trace of periodicity, in the band that every resampler passes: what alignment is sure with.
func testSignal(_ samples: Int, channels: Int = 2, seed: UInt64 = 1) -> [Float] {
    var random = SplitMix64(seed: seed)
    var (low, lower): (Float, Float) = (0, 0)
    var values: [Float] = []
    values.reserveCapacity(samples * channels)
    for _ in 0..<samples {
        let white = Float(Int64(bitPattern: random.next()) >> 40) / Float(1 << 23)
        low += 0.25 * (white - low)
        lower += 0.25 * (low - lower)
        for channel in 0..<channels { values.append(channel == 0 ? lower : -lower) }
    }
    return values
}
