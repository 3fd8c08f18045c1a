// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct PrepareTests {
    private let format = PCMFormat(sampleRate: 44_100, channels: 2)

    @Test("A prepared output is connected before it has a stream, and then waits without polling")
    func connects() throws {
        let server = try PulseServer()
        var settings = PulseSettings()
        settings.server = server.address
        let output = PulseOutput(settings)
        var events: [SoundEvent] = []
        output.onEvent = { events.append($0) }
        output.prepare()
        let deadline = MonotonicInstant.read() + .seconds(10)
        while output.connection?.isReady != true, MonotonicInstant.read() < deadline {
            output.wait(until: .read() + .milliseconds(20))
        }
        let connection = try #require(output.connection)
        #expect(connection.isReady && output.connectingSince == nil)
        #expect(output.nextInstant(after: .read()) == nil && events.isEmpty)
        #expect(try server.streamNumber() == nil)
        output.open(format, isPaused: true)
        while !events.contains(.opened), MonotonicInstant.read() < deadline { output.wait(until: deadline) }
        #expect(events.contains(.opened) && output.connection === connection)
        output.close()
    }

    @Test("A prepared output reports a missing server at once, and connects when there is one")
    func noServer() throws {
        let server = try PulseServer(isStarted: false)
        var settings = PulseSettings()
        settings.server = server.address
        let output = PulseOutput(settings)
        var events: [SoundEvent] = []
        output.onEvent = { events.append($0) }
        output.prepare()
        output.wait(until: .read() + .seconds(10))
        #expect(events.count == 1 && events.allSatisfy { if case .lost(.noServer) = $0 { true } else { false } })
        try server.start()
        let deadline = MonotonicInstant.read() + .seconds(10)
        while output.connection?.isReady != true, MonotonicInstant.read() < deadline {
            output.wait(until: .read() + .milliseconds(20))
        }
        #expect(output.connection?.isReady == true && events.count == 1)
    }

    @Test("A closed output is no longer prepared")
    func closes() {
        let output = PulseOutput(PulseSettings()) { () throws(SoundError) in throw .missing(package: "libpulse0") }
        var events: [SoundEvent] = []
        output.onEvent = { events.append($0) }
        output.prepare()
        output.close()
        output.wait(until: .read() + .milliseconds(50))
        #expect(events.isEmpty)
    }
}
