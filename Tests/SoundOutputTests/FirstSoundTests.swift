// SPDX-License-Identifier: MIT

import Instants
import Platform
import TestSupport
import TestTools
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct FirstSoundTests {
    @Test("The first sound comes soon after the first write, or after the end of a pause")
    func pipeSink() throws {
        let folder = try TemporaryFolder("aircheck-pipe-sink")
        var options = PulseServer.Options()
        options.sinks = []
        options.modules = [PipeSinkReader.module(path: folder.file("pipe"))]
        let server = try PulseServer(options)
        let reader = try PipeSinkReader(path: folder.file("pipe"))
        let rig = OutputRig(server)
        rig.signal = testSignal(44_100).map { $0 + 0.1 }
        var uncorked: [Duration] = []
        var corked: [Duration] = []
        for turn in 0..<10 {
            let isPaused = turn % 2 == 1
            rig.position = 0
            rig.forget()
            rig.output.open(rig.format, isPaused: isPaused)
            #expect(rig.runs(until: .opened))
            if isPaused {
                #expect(rig.run { rig.output.written > 22_050 })
                let pausedAt = MonotonicInstant.read()
                #expect(rig.run { MonotonicInstant.read() - pausedAt > .milliseconds(100) })
            }
            reader.forget()
            let start = MonotonicInstant.read()
            rig.output.setPaused(false)
            #expect(rig.run { rig.output.heard > 4_410 })
            let first = try #require(reader.firstSound(within: .seconds(5)))
            if isPaused { corked.append(first - start) } else { uncorked.append(first - start) }
            let latency = try #require(rig.output.latency)
            #expect(latency < .milliseconds(100))
            rig.output.close()
            let closed = MonotonicInstant.read()
            _ = rig.run { MonotonicInstant.read() - closed > .milliseconds(150) }
        }
        #expect(uncorked.sorted()[2] < .milliseconds(100))
        #expect(corked.sorted()[2] < .milliseconds(100))
    }
}
