// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

@testable import SoundOutput

struct LeakTests {
    /// The test runs in its own process, because other tests open descriptors and allocate memory.
    @Test("A stream is opened and closed 300 times without leaking descriptors or memory")
    func leaks() async {
        await #expect(processExitsWith: .success) {
            let server = try PulseServer()
            cycle(20, on: server)
            for _ in 0..<5 { cycle(1, on: server) }
            let descriptors = ProcessStatus.openDescriptors
            let memory = try #require(ProcessStatus()).anonymousMemory
            cycle(250, on: server)
            for _ in 0..<50 { cycle(1, on: server) }
            let grown = try #require(ProcessStatus()).anonymousMemory - memory
            #expect(ProcessStatus.openDescriptors == descriptors)
            #expect(grown < 1 << 20, "\(grown) bytes more")
            #expect(try server.streamNumber() == nil)
        }
    }
}

/// Opens and closes a stream `count` times on one connection.
private func cycle(_ count: Int, on server: PulseServer) {
    let rig = OutputRig(server)
    rig.signal = testSignal(4_410)
    for turn in 0..<count {
        rig.position = 0
        rig.output.open(rig.format, isPaused: turn % 2 == 0)
        #expect(rig.runs(until: .opened) && rig.run { rig.output.written > 0 })
        rig.forget()
        rig.output.close()
    }
}
