// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct EdgeTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("A drain of nothing ends at once, and that of a paused stream ends after it has played on")
    func drains() throws {
        let rig = OutputRig(server)
        rig.output.open(rig.format, isPaused: false)
        #expect(rig.runs(until: .opened))
        rig.output.drain()
        #expect(rig.runs(until: .drained))

        rig.forget()
        rig.signal = testSignal(8_820)
        rig.output.open(rig.format, isPaused: true)
        #expect(rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        let start = MonotonicInstant.read()
        #expect(rig.run { MonotonicInstant.read() - start > .milliseconds(300) })
        #expect(!rig.events.contains(.drained))
        rig.output.setPaused(false)
        #expect(rig.runs(until: .drained) && rig.output.heard == 8_820)
    }

    @Test(
        "A stream may be opened again in another format",
        arguments: [(48_000, 1), (8_000, 2), (96_000, 6), (11_025, 8)])
    func formats(sampleRate: Int, channels: Int) throws {
        let rig = OutputRig(server, format: PCMFormat(sampleRate: sampleRate, channels: channels))
        // Two streams are being opened at once, and the first is no longer wanted.
        rig.output.open(PCMFormat(sampleRate: 44_100, channels: 2), isPaused: false)
        #expect(rig.runs(until: .opened))
        rig.forget()
        rig.output.open(rig.format, isPaused: false)
        rig.output.wait(until: .read())
        rig.output.open(rig.format, isPaused: false)
        rig.signal = testSignal(sampleRate / 4, channels: channels)
        #expect(rig.runs(until: .opened) && rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        #expect(rig.runs(until: .drained) && rig.output.heard == Int64(sampleRate / 4))
    }

    @Test("Samples beyond the room are left out, and nonsensical calls do nothing")
    func nonsense() throws {
        let rig = OutputRig(server)
        rig.output.setPaused(true)
        rig.output.setRate(48_000)
        rig.output.drain()
        rig.output.write(UnsafeBufferPointer(start: nil, count: 0), rewind: 0)
        rig.output.close()
        rig.output.wait(until: .read())
        #expect(rig.events.isEmpty && rig.output.room == 0 && rig.output.latency == nil)

        rig.output.open(rig.format, isPaused: true)
        #expect(rig.runs(until: .opened))
        rig.signal = [Float](repeating: 0, count: 2 * 30 * 44_100)
        rig.write(0, 30 * 44_100)
        #expect(rig.output.written > 44_100 && rig.output.written < 30 * 44_100)
        rig.write(0, 0, rewind: 100)
        rig.output.setVolume(.nan)
        rig.output.setVolume(-1)
        rig.output.setVolume(.infinity)
        rig.output.setRate(.max)
        rig.output.setRate(-1)
        rig.output.setTitle(String(repeating: "\u{1F4FB}", count: 10_000))
        for turn in 0..<200 { rig.output.setPaused(turn % 2 == 0) }
        rig.output.setVolume(0.75)
        rig.isFed = false
        #expect(rig.runs(until: .volume(0.75, isMuted: false)))
        #expect(rig.run { rig.output.heard > 4_410 || rig.output.written == 0 } && rig.losses.isEmpty)
    }

    @Test("A wait ends when another thread wakes it, before the wait or during it")
    func wakes() throws {
        let rig = OutputRig(server)
        rig.output.open(rig.format, isPaused: true)
        #expect(rig.runs(until: .opened))
        #expect(rig.run { rig.events.contains { if case .volume = $0 { true } else { false } } })
        let wakeUp = rig.output.wakeUp
        let start = MonotonicInstant.read()
        wakeUp()
        rig.output.wait(until: start + .seconds(20))
        startThread("test-waker") { wakeUp() }
        rig.output.wait(until: start + .seconds(20))
        #expect(MonotonicInstant.read() - start < .seconds(10))
    }

    @Test("A wait with a descriptor ends when that descriptor is readable, for every output")
    func descriptors() throws {
        let rig = OutputRig(server)
        rig.output.open(rig.format, isPaused: true)
        #expect(rig.runs(until: .opened))
        let noLibrary = PulseOutput(PulseSettings()) { () throws(SoundError) in throw .missing(package: "libpulse0") }
        for output in [rig.output, SilentOutput(), noLibrary] as [any SoundOutput] {
            let (reading, writing) = try Descriptor.pipe()
            func waits(_ descriptor: CInt?, _ limit: Duration) -> Duration {
                let start = MonotonicInstant.read()
                output.wait(until: start + limit, or: descriptor)
                return MonotonicInstant.read() - start
            }
            // This wait reports the events that are left.
            _ = waits(nil, .milliseconds(50))
            #expect(waits(reading.number, .milliseconds(50)) >= .milliseconds(50))
            startThread("test-writer") { _ = write(writing.number, "x", 1) }
            #expect(waits(reading.number, .seconds(20)) < .seconds(10))
            #expect(waits(reading.number, .seconds(20)) < .seconds(10))
            #expect(waits(nil, .milliseconds(50)) >= .milliseconds(50))
            // Another descriptor gets the same number.
            let (other, far) = try Descriptor.pipe()
            dup2(other.number, reading.number)
            #expect(waits(reading.number, .milliseconds(50)) >= .milliseconds(50))
            _ = write(far.number, "x", 1)
            #expect(waits(reading.number, .seconds(20)) < .seconds(10))
        }
    }
}
