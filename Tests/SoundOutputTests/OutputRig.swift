// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import TestTools

@testable import SoundOutput

/// An output on the thread of the test, fed from a signal whenever it has room.
final class OutputRig {
    let output: PulseOutput
    let format: PCMFormat
    private(set) var events: [SoundEvent] = []
    /// The signal, interleaved, and how many of its values have been written.
    var signal: [Float] = []
    var position = 0
    var isFed = true
    /// The largest number of samples that may be written ahead of those heard.
    var lead = Int.max
    /// All counts of heard samples, in the order in which they were read.
    private(set) var heardCounts: [Int64] = []
    /// The server runs as long as the rig exists.
    private let server: any SoundServer

    init(
        _ server: some SoundServer, format: PCMFormat = PCMFormat(sampleRate: 44_100, channels: 2),
        _ change: (inout PulseSettings) -> Void = { _ in }
    ) {
        self.server = server
        var settings = PulseSettings()
        settings.server = server.address
        change(&settings)
        output = PulseOutput(settings)
        self.format = format
        output.onEvent = { [unowned self] event in
            events.append(event)
            if event == .opened { heardCounts = [] }
        }
    }

    /// Begins to play a test signal of this length.
    func play(seconds: Int) {
        signal = testSignal(seconds * 44_100)
        output.open(format, isPaused: false)
    }

    /// Writes as many whole samples as there is room for.
    func feed() {
        guard isFed else { return }
        let count = min(
            output.room, lead - Int(output.written - output.heard), (signal.count - position) / format.channels)
        guard count > 0 else { return }
        write(position, count)
        position += count * format.channels
    }

    /// Writes `count` samples of the signal, from the value at `start` on.
    func write(_ start: Int, _ count: Int, rewind: Int = 0) {
        signal.withUnsafeBufferPointer { values in
            output.write(
                UnsafeBufferPointer(rebasing: values[start..<(start + count * format.channels)]), rewind: rewind)
        }
    }

    /// Waits and feeds until the condition holds, and returns whether it did.
    func run(_ limit: Duration = .seconds(10), until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = MonotonicInstant.read() + limit
        while true {
            feed()
            heardCounts.append(output.heard)
            if try condition() { return true }
            let now = MonotonicInstant.read()
            if now >= deadline { return false }
            output.wait(until: min(deadline, now + .milliseconds(20)))
        }
    }

    func runs(_ limit: Duration = .seconds(10), until event: SoundEvent) -> Bool {
        run(limit) { events.contains(event) }
    }

    /// Writes the whole signal and drains it; false if either takes too long.
    func playsToItsEnd() -> Bool {
        let isWritten = run { position == signal.count }
        output.drain()
        return isWritten && runs(until: .drained)
    }

    /// Forgets the events so far.
    func forget() { events = [] }

    var goesBackNowhere: Bool { !zip(heardCounts, heardCounts.dropFirst()).contains { $0 > $1 } }

    func channel(_ number: Int) -> [Float] {
        stride(from: number, to: signal.count, by: format.channels).map { signal[$0] }
    }

    /// The first channel of a recording, read once the recording is silent again.
    func heard(by recording: MonitorRecording) throws -> [Float] {
        guard
            recording.waits(
                .seconds(10), for: { $0.contains { $0 != 0 } && $0.suffix(4_410).allSatisfy { $0 == 0 } })
        else { throw SetupError("the recording does not become silent") }
        return recording.channel(0)
    }

    /// Compares a recording with the signal from sample `start` on.
    func comparison(with recording: MonitorRecording, from start: Int, length: Int = 11_025) throws -> SignalComparison
    {
        SignalComparison(played: Array(channel(0)[start...]), heard: try heard(by: recording), length: length)
    }

    /// Whether a recording has the signal from sample `start` on without any change.
    func isUnchanged(in recording: MonitorRecording, from start: Int) throws -> Bool {
        let (played, heard) = (channel(0)[start...], try heard(by: recording))
        let place = heard.indices.first { heard[$0...].starts(with: played.prefix(64)) }
        return place.map { heard[$0...].starts(with: played) } ?? false
    }

    var losses: [SoundError] {
        events.compactMap { if case .lost(let error) = $0 { error } else { nil } }
    }
}

extension SoundOutput {
    /// Opens a stream whose rate may change.
    func open(_ format: PCMFormat, isPaused: Bool) { open(format, hasVariableRate: true, isPaused: isPaused) }
}

/// A signal resampled to another rate. Cubic interpolation is enough, because the signal has no high tones.
func stretched(_ signal: [Float], by factor: Double) -> [Float] {
    var values: [Float] = []
    var place = 1.0
    while Int(place) + 2 < signal.count {
        let index = Int(place)
        let part = place - Double(index)
        let (a, b) = (Double(signal[index - 1]), Double(signal[index]))
        let (c, d) = (Double(signal[index + 1]), Double(signal[index + 2]))
        let cubic = 3 * (b - c) + d - a
        values.append(Float(b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * cubic))))
        place += 1 / factor
    }
    return values
}

/// Noise without any periodicity, in the band that every resampler passes, so that it can be aligned reliably. The
/// other channels are the first one inverted.
func testSignal(_ samples: Int, channels: Int = 2, seed: UInt64 = 1) -> [Float] {
    var random = SplitMix64(seed: seed)
    var poles = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    var values = [Float](repeating: 0, count: samples * channels)
    for sample in 0..<samples {
        let white = Float(Int64(bitPattern: random.next()) >> 40) / Float(1 << 23)
        poles.0 += 0.3 * (white - poles.0)
        poles.1 += 0.3 * (poles.0 - poles.1)
        poles.2 += 0.3 * (poles.1 - poles.2)
        poles.3 += 0.3 * (poles.2 - poles.3)
        poles.4 += 0.3 * (poles.3 - poles.4)
        poles.5 += 0.3 * (poles.4 - poles.5)
        for channel in 0..<channels { values[sample * channels + channel] = channel == 0 ? poles.5 : -poles.5 }
    }
    return values
}
