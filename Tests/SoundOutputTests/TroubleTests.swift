// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct TroubleTests {
    @Test("A missing server is reported once, and playback starts when there is one")
    func serverComesLater() throws {
        let server = try PulseServer(isStarted: false)
        let rig = OutputRig(server)
        rig.play(seconds: 10)
        let start = MonotonicInstant.read()
        #expect(rig.run { MonotonicInstant.read() - start > .milliseconds(700) } && rig.losses.count == 1)
        if case .noServer(let words) = rig.losses.first {
            #expect(!words.isEmpty)
        } else {
            Issue.record("\(rig.losses)")
        }
        try server.start()
        #expect(rig.runs(.seconds(3), until: .started))
    }

    @Test("Playback resumes within 3 s after a crashed server is back")
    func crash() throws {
        let server = try PulseServer()
        let rig = OutputRig(server)
        rig.play(seconds: 20)
        #expect(rig.run { rig.output.heard > 4_410 })
        rig.forget()
        try server.crash()
        #expect(rig.run(.seconds(2)) { !rig.losses.isEmpty })
        if case .gone = rig.losses.first {} else { Issue.record("\(rig.losses)") }
        #expect(rig.output.heard > 4_410 && rig.output.written >= rig.output.heard && rig.output.room == 0)
        try server.start()
        let back = MonotonicInstant.read()
        #expect(rig.runs(.seconds(3), until: .started))
        #expect(MonotonicInstant.read() - back < .seconds(3))
        #expect(rig.run { rig.output.heard > 4_410 } && rig.goesBackNowhere)
    }

    @Test("A server that hangs during playback is given up, and used again when it continues")
    func hang() throws {
        let server = try PulseServer()
        let rig = OutputRig(server)
        rig.play(seconds: 30)
        #expect(rig.run { rig.output.heard > 4_410 })
        rig.forget()
        server.hang()
        let start = MonotonicInstant.read()
        #expect(rig.run(.seconds(6)) { rig.losses == [.hangs] })
        #expect(MonotonicInstant.read() - start < .seconds(4))
        // No call blocks while the server hangs.
        let before = MonotonicInstant.read()
        rig.output.setPaused(true)
        rig.output.setVolume(0.5)
        rig.output.setPaused(false)
        rig.output.close()
        rig.output.open(rig.format, isPaused: false)
        rig.output.wait(until: before)
        #expect(MonotonicInstant.read() - before < .milliseconds(200))
        server.resume()
        #expect(rig.runs(.seconds(3), until: .started))
    }

    @Test("A server that hangs from the beginning is reported, and used when it continues")
    func hangsAtOnce() throws {
        let server = try PulseServer()
        server.hang()
        let rig = OutputRig(server)
        rig.play(seconds: 10)
        #expect(rig.run(.seconds(4)) { rig.losses == [.hangs] })
        server.resume()
        #expect(rig.runs(.seconds(3), until: .started))
    }

    @Test("A stream that is moved to another device continues")
    func moves() throws {
        var options = PulseServer.Options()
        options.sinks = ["speaker", "other"]
        let server = try PulseServer(options)
        let rig = OutputRig(server)
        rig.play(seconds: 10)
        #expect(rig.run { rig.output.heard > 4_410 })
        let recording = try MonitorRecording(server, sink: "other")
        let number = try #require(try server.streamNumber())
        try server.control(["move-sink-input", "\(number)", "other"])
        #expect(rig.runs(until: .moved(device: "other")))
        let heard = rig.output.heard
        #expect(rig.run { rig.output.heard > heard + 22_050 } && rig.losses.isEmpty)
        #expect(recording.waits(.seconds(3)) { $0.contains { $0 != 0 } })
        #expect(rig.goesBackNowhere)
    }

    @Test("Playback continues on another device after the first one is unplugged")
    func unplugged() throws {
        var options = PulseServer.Options()
        options.sinks = ["speaker", "headset"]
        let server = try PulseServer(options)
        let recording = try MonitorRecording(server)
        let rig = OutputRig(server) { $0.device = "headset" }
        rig.play(seconds: 20)
        #expect(rig.run { rig.output.heard > 4_410 })
        rig.forget()
        try server.unplug("headset")
        #expect(rig.runs(.seconds(3), until: .moved(device: "speaker")))
        let heard = rig.output.heard
        #expect(rig.run(.seconds(3)) { rig.output.heard > heard + 4_410 })
        #expect(recording.waits(.seconds(3)) { $0.contains { $0 != 0 } })
    }

    @Test("Playback resumes after the only device is unplugged and plugged in again")
    func lastUnplugged() throws {
        let server = try PulseServer()
        let rig = OutputRig(server) { $0.device = "speaker" }
        rig.play(seconds: 20)
        #expect(rig.run { rig.output.heard > 4_410 })
        rig.forget()
        try server.unplug("speaker")
        #expect(rig.run(.seconds(3)) { !rig.losses.isEmpty })
        try server.control(["load-module", "module-null-sink", "sink_name=speaker"])
        #expect(rig.runs(.seconds(3), until: .started))
    }

    @Test("An unknown device is reported by name, and waited for")
    func unknownDevice() throws {
        let server = try PulseServer()
        let rig = OutputRig(server) { $0.device = "elsewhere" }
        rig.play(seconds: 10)
        #expect(rig.run { rig.losses == [.noDevice("elsewhere")] })
        try server.control(["load-module", "module-null-sink", "sink_name=elsewhere"])
        #expect(rig.runs(.seconds(3), until: .started) && rig.losses.count == 1)
    }

    @Test("A telephone call silences the stream until it ends")
    func telephone() throws {
        var options = PulseServer.Options()
        options.modules = ["module-role-cork"]
        let server = try PulseServer(options)
        let rig = OutputRig(server)
        rig.play(seconds: 20)
        #expect(rig.run { rig.output.heard > 4_410 })
        let call = try server.telephone()
        #expect(rig.runs(until: .heldByServer(true)))
        let heldAt = MonotonicInstant.read()
        let heard = rig.output.heard
        #expect(rig.run { MonotonicInstant.read() - heldAt > .milliseconds(300) })
        #expect(rig.output.heard - heard < 6_000)
        call.kill()
        #expect(rig.runs(until: .heldByServer(false)) && rig.run { rig.output.heard > heard + 22_050 })
    }

    @Test("Without libpulse the output says what to install, and can still be woken")
    func noLibrary() {
        let output = PulseOutput(PulseSettings()) { () throws(SoundError) in throw .missing(package: "libpulse0") }
        var events: [SoundEvent] = []
        output.onEvent = { events.append($0) }
        output.open(PCMFormat(sampleRate: 44_100, channels: 2), isPaused: false)
        output.wait(until: .read() + .seconds(10))
        #expect(events == [.lost(.missing(package: "libpulse0"))])
        let wakeUp = output.wakeUp
        startThread("test-waker") { wakeUp() }
        let start = MonotonicInstant.read()
        output.wait(until: start + .seconds(10))
        #expect(MonotonicInstant.read() - start < .seconds(5))
    }
}
