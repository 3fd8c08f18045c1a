// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct PipeWireTests {
    @Test("A PipeWire server of the PulseAudio protocol plays every sample", arguments: [48_000, 44_100])
    func plays(sampleRate: Int) throws {
        let server = try PipeWireServer()
        let recording = try MonitorRecording(server, sampleRate: sampleRate, latency: .milliseconds(20))
        let rig = OutputRig(server, format: PCMFormat(sampleRate: sampleRate, channels: 2))
        rig.signal = testSignal(2 * sampleRate)
        rig.output.open(rig.format, isPaused: false)
        #expect(rig.runs(until: .started) && rig.run { rig.output.heard > sampleRate / 2 })
        rig.output.setPaused(true)
        let pausedAt = MonotonicInstant.read()
        #expect(rig.run { MonotonicInstant.read() - pausedAt > .milliseconds(300) })
        rig.output.setPaused(false)
        rig.output.setVolume(0.5)
        #expect(
            rig.run {
                rig.events.contains { if case .volume(0.49...0.51, isMuted: false) = $0 { true } else { false } }
            })
        rig.output.setVolume(1)
        #expect(rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        #expect(rig.runs(until: .drained) && rig.goesBackNowhere)
        let comparison = try rig.comparison(with: recording, from: sampleRate / 10, length: sampleRate / 10)
        // The pause splits one stretch, and each change of the volume another one.
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 4, "\(comparison.sections)")
        #expect(comparison.jumps.allSatisfy { $0 >= 0 }, "\(comparison.sections)")
    }

    @Test("PipeWire plays a stream of a fixed rate unchanged, bit for bit")
    func isUnchanged() throws {
        let server = try PipeWireServer()
        let recording = try MonitorRecording(server, latency: .milliseconds(20))
        let rig = OutputRig(server, format: PCMFormat(sampleRate: 48_000, channels: 2))
        rig.signal = testSignal(48_000)
        rig.output.open(rig.format, hasVariableRate: false, isPaused: false)
        #expect(rig.playsToItsEnd())
        #expect(try rig.isUnchanged(in: recording, from: 4_800))
    }

    @Test("PipeWire plays at another rate, too")
    func rate() throws {
        let server = try PipeWireServer()
        let recording = try MonitorRecording(server, latency: .milliseconds(20))
        let rig = OutputRig(server, format: PCMFormat(sampleRate: 48_000, channels: 2))
        rig.signal = testSignal(3 * 48_000)
        rig.output.open(rig.format, isPaused: false)
        #expect(rig.runs(until: .started))
        rig.output.setRate(48_096)
        #expect(rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        #expect(rig.runs(until: .drained))
        let played = stretched(rig.channel(0), by: 48_000.0 / 48_096.0)
        let comparison = SignalComparison(
            played: Array(played[48_000..<120_000]), heard: try rig.heard(by: recording), length: 2_400)
        #expect(comparison.worst ?? 0 >= 40, "\(comparison.sections)")
    }
}
