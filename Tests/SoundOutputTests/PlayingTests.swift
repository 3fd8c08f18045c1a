// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import Testing

@testable import SoundOutput

struct PlayingTests {
    @Test("What is written is heard, counted, paused and drained")
    func plays() throws {
        let server = try PulseServer()
        let recording = try MonitorRecording(server)
        let rig = OutputRig(server)
        rig.signal = testSignal(2 * 44_100)
        let start = MonotonicInstant.read()
        rig.output.open(rig.format, isPaused: false)
        #expect(rig.runs(until: .opened))
        print("opened", MonotonicInstant.read() - start)
        #expect(rig.runs(until: .started))
        print("started", MonotonicInstant.read() - start)
        #expect(rig.run { rig.position == rig.signal.count })
        rig.output.drain()
        #expect(rig.runs(until: .drained))
        print(
            "drained", MonotonicInstant.read() - start, rig.output.written, rig.output.heard, rig.output.latency as Any)
        print(rig.events)
        print(zip(rig.heard, rig.heard.dropFirst()).contains { $0 > $1 })
        print(recording.channel(0).count)
    }
}
