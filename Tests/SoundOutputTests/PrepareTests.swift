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

    @Test("Whoever is prepared is connected before there is a stream, and waits without a turn")
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

    @Test("Whoever is prepared is told at once that there is no server, and has it as soon as it is there")
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

    @Test("Whoever has closed is not prepared any more")
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
