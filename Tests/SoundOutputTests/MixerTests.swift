// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import TestSupport
import Testing

@testable import SoundOutput

@Suite(.ownThread)
struct MixerTests {
    @Test("Volume, mute and title are those of the server, whoever sets them")
    func volume() throws {
        let server = try PulseServer()
        let rig = OutputRig(server)
        rig.play(seconds: 20)
        #expect(rig.runs(until: .volume(1, isMuted: false)))
        rig.output.setVolume(0.5)
        #expect(rig.runs(until: .volume(0.5, isMuted: false)))
        rig.output.setMuted(true)
        #expect(rig.runs(until: .volume(0.5, isMuted: true)))
        rig.output.setTitle("Für Elise – “live”")
        #expect(try rig.run { try server.streams().contains("media.name = \"Für Elise – “live”\"") })
        let seen = try server.streams()
        #expect(seen.contains("50%") && seen.contains("Mute: yes"))
        #expect(seen.contains("media.role = \"music\"") && seen.contains("application.name = \"Aircheck\""))

        let number = try #require(try server.streamNumber())
        try server.control(["set-sink-input-volume", "\(number)", "25%"])
        try server.control(["set-sink-input-mute", "\(number)", "0"])
        #expect(rig.runs(until: .volume(0.25, isMuted: false)))

        // The next stream keeps these settings.
        rig.forget()
        rig.output.open(rig.format, isPaused: true)
        #expect(rig.runs(until: .volume(0.25, isMuted: false)))
    }

    @Test("Devices are listed, with a deadline")
    func devices() throws {
        var options = PulseServer.Options()
        options.sinks = ["speaker", "headset"]
        let server = try PulseServer(options)
        let devices = try PulseDevices.list(server: server.address, deadline: .read() + .seconds(5))
        #expect(devices.map(\.name) == ["speaker", "headset"])
        #expect(devices.map(\.isDefault) == [true, false])
        #expect(devices.allSatisfy { !$0.description.isEmpty })
        server.hang()
        #expect(throws: SoundError.hangs) {
            try PulseDevices.list(server: server.address, deadline: .read() + .milliseconds(300))
        }
        server.resume()
        #expect(throws: SoundError.self) {
            try PulseDevices.list(server: "unix:/nonexistent/native", deadline: .read() + .seconds(5))
        }
    }

}
