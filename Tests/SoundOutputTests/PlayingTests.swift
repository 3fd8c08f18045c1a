// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct PlayingTests {
    /// Starts a server, and an output that plays a signal on it. Returns the output's rig and a recording of the sink.
    private func playing(
        _ samples: Int, resampler: String = "speex-float-10", hasVariableRate: Bool = true, isPaused: Bool = false
    ) throws -> (OutputRig, MonitorRecording) {
        var options = PulseServer.Options()
        options.resampler = resampler
        let server = try PulseServer(options)
        // While it is recorded, the sink does not render two seconds ahead. It cannot take back what it has rendered.
        let recording = try MonitorRecording(server)
        let rig = OutputRig(server)
        rig.signal = testSignal(samples)
        rig.output.open(rig.format, hasVariableRate: hasVariableRate, isPaused: isPaused)
        return (rig, recording)
    }

    @Test(
        "All written samples are heard, to the last one, and their counts follow the sound and never decrease",
        arguments: ["speex-float-10", "soxr-vhq"])
    func isHeard(resampler: String) throws {
        let (rig, recording) = try playing(3 * 44_100, resampler: resampler)
        #expect(rig.runs(until: .started))
        let start = MonotonicInstant.read()
        var (worst, isAhead) = (Duration.zero, false)
        #expect(
            rig.run {
                let passed = MonotonicInstant.read() - start
                let heard = rig.format.duration(of: Int(rig.output.heard))
                if passed > .milliseconds(100) { worst = max(worst, heard - passed, passed - heard) }
                isAhead = isAhead || rig.output.heard > rig.output.written
                return passed > .seconds(2)
            })
        #expect(worst < .milliseconds(60), "the count is \(worst) away from the clock")
        #expect(rig.output.latency ?? .seconds(1) < .milliseconds(100))
        #expect(rig.playsToItsEnd() && rig.goesBackNowhere && !isAhead)
        #expect(rig.output.written == 3 * 44_100 && rig.output.heard == 3 * 44_100)
        #expect(rig.events.filter { if case .volume = $0 { false } else { true } } == [.opened, .started, .drained])

        // A monitor misses the first few milliseconds: the server has already given out silence for them.
        let comparison = try rig.comparison(with: recording, from: 4_410)
        #expect(comparison.worst ?? 0 >= 60)
        #expect(comparison.jumps.allSatisfy { $0 == 0 })
    }

    @Test("A stream of a fixed rate is played unchanged, bit for bit, and a change of its rate does nothing")
    func isUnchanged() throws {
        let (rig, recording) = try playing(44_100, hasVariableRate: false)
        #expect(rig.runs(until: .started))
        rig.output.setRate(44_188)
        #expect(rig.playsToItsEnd())
        #expect(try rig.isUnchanged(in: recording, from: 4_410))
    }

    @Test("A clip of 100 ms is played to its last sample")
    func shortClip() throws {
        let (rig, recording) = try playing(4_410)
        #expect(rig.playsToItsEnd())
        let comparison = try rig.comparison(with: recording, from: 2_205, length: 2_205)
        #expect(comparison.worst ?? 0 >= 60)
    }

    @Test("A clip shorter than the server's prebuffer is played as well")
    func shorterThanStart() throws {
        let (rig, recording) = try playing(1_000)
        #expect(rig.playsToItsEnd())
        #expect(recording.waits(.seconds(5)) { $0.contains { $0 != 0 } })
    }

    @Test("A pause loses nothing and repeats nothing")
    func pauses() throws {
        let (rig, recording) = try playing(2 * 44_100, isPaused: true)
        #expect(rig.runs(until: .opened))
        #expect(rig.run { rig.output.room == 0 || rig.position == rig.signal.count })
        #expect(rig.output.heard == 0)
        rig.output.setPaused(false)
        #expect(rig.run { rig.output.heard > 22_050 })
        rig.output.setPaused(true)
        let pausedAt = MonotonicInstant.read()
        let before = rig.output.heard
        #expect(rig.run { MonotonicInstant.read() - pausedAt > .milliseconds(500) })
        #expect(rig.output.heard - before < 4_410)
        rig.output.setPaused(false)
        #expect(rig.playsToItsEnd() && rig.goesBackNowhere)

        let comparison = try rig.comparison(with: recording, from: 4_410, length: 2_205)
        let gaps = comparison.jumps.filter { $0 > 2 }
        #expect(gaps.reduce(0, +) > 20_000, "a pause of half a second: \(gaps)")
        #expect(comparison.jumps.allSatisfy { $0 > -3 })
        // The pause splits one stretch, and a monitor records its edges slightly wrong.
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 2)
    }

    @Test("Samples that were not heard yet can be overwritten")
    func rewinds() throws {
        let (rig, recording) = try playing(44_100)
        #expect(rig.run { rig.output.heard > 11_025 })
        let unheard = Int(rig.output.written - rig.output.heard)
        let rewind = unheard - 8_820
        #expect(rewind > 8_820)
        let other = testSignal(rewind + 11_025, seed: 2)
        let place = Int(rig.output.written) - rewind
        rig.isFed = false
        rig.signal.replaceSubrange((2 * place)..., with: other)
        rig.write(2 * place, rewind + 11_025, rewind: rewind)
        #expect(rig.output.written == place + rewind + 11_025)
        rig.output.drain()
        #expect(rig.runs(until: .drained))
        let comparison = try rig.comparison(with: recording, from: 4_410, length: 2_205)
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 1, "\(comparison.sections)")
        #expect(comparison.jumps.allSatisfy { abs($0) <= 1 })
    }

    @Test("The end may come earlier: samples are taken back, and a few or none replace them", arguments: [882, 0])
    func endsEarlier(count: Int) throws {
        let (rig, recording) = try playing(44_100)
        #expect(rig.run { rig.output.heard > 8_820 })
        rig.isFed = false
        let rewind = Int(rig.output.written - rig.output.heard) - 8_820
        let place = Int(rig.output.written) - rewind
        if count > 0 {
            rig.write(2 * place, count, rewind: rewind)
        } else {
            rig.output.write(UnsafeBufferPointer(start: nil, count: 0), rewind: rewind)
        }
        rig.output.drain()
        #expect(rig.runs(until: .drained) && rig.output.heard == place + count)
        let heard = try rig.heard(by: recording)
        let length = (heard.lastIndex { $0 != 0 } ?? 0) - (heard.firstIndex { $0 != 0 } ?? 0)
        #expect(abs(length - (place + count)) < 1_500)
    }

    @Test("An underrun is reported, and later samples are heard")
    func underrun() throws {
        let (rig, recording) = try playing(22_050)
        #expect(rig.run { rig.position == rig.signal.count } && rig.runs(until: .underrun))
        #expect(rig.output.heard == 22_050)
        rig.forget()
        rig.signal += testSignal(22_050, seed: 2)
        #expect(rig.runs(until: .started))
        rig.output.drain()
        #expect(rig.runs(until: .drained) && !rig.events.contains(.underrun))
        let comparison = try rig.comparison(with: recording, from: 4_410, length: 2_205)
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 2)
        #expect(rig.goesBackNowhere)
    }

    @Test("A lead of as much as the server renders ahead is enough", arguments: [(false, 33_075), (true, 6_615)])
    func shortLead(isRecorded: Bool, lead: Int) throws {
        let server = try PulseServer()
        let recording = isRecorded ? try MonitorRecording(server) : nil
        let rig = OutputRig(server)
        rig.signal = testSignal(88_200)
        rig.lead = lead
        rig.output.open(rig.format, isPaused: false)
        #expect(rig.playsToItsEnd() && !rig.events.contains(.underrun))
        if let recording {
            let comparison = try rig.comparison(with: recording, from: 4_410, length: 2_205)
            #expect(comparison.worst ?? 0 >= 60)
            #expect(comparison.jumps.allSatisfy { $0 == 0 })
        }
    }

    @Test("Another rate is played in good quality")
    func rate() throws {
        let (rig, recording) = try playing(3 * 44_100)
        #expect(rig.runs(until: .started))
        rig.output.setRate(44_188)
        #expect(rig.playsToItsEnd())
        // 0.2 % is two samples in a thousand, so short sections are compared with the signal at that rate.
        let heard = try rig.heard(by: recording)
        let played = stretched(rig.channel(0), by: 44_100.0 / 44_188.0)
        let comparison = SignalComparison(played: Array(played[44_100..<110_250]), heard: heard, length: 2_205)
        #expect(comparison.worst ?? 0 >= 40, "\(comparison.sections)")
        #expect(comparison.jumps.allSatisfy { abs($0) <= 2 }, "\(comparison.sections)")
    }

    @Test("Samples written during a drain follow without a gap", arguments: [0, 4_410])
    func writesAfterDrain(rewind: Int) throws {
        let (rig, recording) = try playing(22_050)
        #expect(rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        #expect(rig.run { rig.output.heard > 4_410 } && !rig.events.contains(.drained))
        rig.signal = testSignal(66_150)
        let place = Int(rig.output.written) - rewind
        rig.write(2 * place, rewind + 2_205, rewind: rewind)
        rig.position = 2 * (place + rewind + 2_205)
        #expect(rig.playsToItsEnd() && rig.output.written == 66_150 && rig.output.heard == 66_150)
        #expect(rig.goesBackNowhere)
        let comparison = try rig.comparison(with: recording, from: 4_410, length: 2_205)
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 1, "\(comparison.sections)")
        #expect(comparison.jumps.allSatisfy { $0 == 0 }, "\(comparison.sections)")
    }
}
