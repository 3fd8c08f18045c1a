// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestTools
import Testing

/// Players that depend on a hundred packages play ten seconds of the relay (`make players`).
@Suite(.byMakePlayers)
struct RelayPlayerTests {
    @Test("VLC plays ten seconds, gets every frame, and shows the titles")
    func vlc() async throws {
        let (studio, relay) = try await Studio.relayed()
        let folder = try TemporaryFolder()
        let arguments = [
            "-vv", "--intf", "dummy", "--run-time", "11", "--play-and-exit", "--sout",
            "#std{access=file,mux=dummy,dst=\(folder.file("copy.mp3"))}", relay.url(),
        ]
        // VLC refuses to run as root, so it gets a namespace in which it has another name.
        let player = try ChildProcess(.unshare, ["--user", "--map-user=1000", try Tool.cvlc.path()] + arguments)
        let outcome = try await player.outcome(within: .seconds(60))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        // The last frame is left out, because it may be cut off.
        studio.expectStretch(try folder.read("copy.mp3"), seconds: 9)
        #expect(outcome.standardError.contains("New Icy-Title=\(Studio.titlePrefix)"), "\(outcome.standardError)")
    }

    @Test("MPD plays ten seconds, and shows the station's name and the title")
    func mpd() async throws {
        let (studio, relay) = try await Studio.relayed()
        let folder = try TemporaryFolder()
        let socket = folder.file("socket")
        let configuration = try folder.write(
            "mpd.conf",
            """
            bind_to_address "\(socket)"
            zeroconf_enabled "no"
            audio_output {
                type "null"
                name "none"
            }
            """)
        let daemon = try ChildProcess(.mpd, ["--no-daemon", "--stderr", configuration])
        #expect(try await waitUntil(.seconds(30)) { FileManager.default.fileExists(atPath: socket) })
        _ = try await answer(of: socket, to: "add \(relay.url())\nplay\n")
        let deadline = MonotonicInstant.now + .seconds(60)
        var state = ""
        while seconds(in: state) < 10, .now < deadline {
            state = try await answer(of: socket, to: "status\ncurrentsong\n")
        }
        #expect(seconds(in: state) >= 10 && state.contains("state: play") && !state.contains("error"), "\(state)")
        #expect(state.contains("Name: \(Studio.name)\n"), "\(state)")
        #expect(state.contains("Title: \(Studio.titlePrefix)"), "\(state)")
        daemon.terminate()
        _ = try await daemon.outcome(within: .seconds(20))
        withExtendedLifetime(studio) {}
    }

    @Test("GStreamer plays ten seconds without waiting for audio, and shows the titles")
    func gstreamer() async throws {
        let (studio, relay) = try await Studio.relayed()
        let player = try ChildProcess(
            .gstPlay, ["--no-interactive", "--verbose", "--audiosink", "fakesink sync=true", relay.url()])
        let hasPlayed = try await waitUntil(.seconds(60)) {
            String(decoding: player.outputSoFar, as: UTF8.self).contains("0:00:10.")
        }
        #expect(hasPlayed && player.isRunning)
        player.terminate()
        let outcome = try await player.outcome(within: .seconds(20))
        #expect(outcome.text.contains("title=(string)\"Aircheck\\ -\\ Piece\\ "), "\(outcome.text)")
        #expect(!outcome.text.contains("Error"), "\(outcome.text)")
        withExtendedLifetime(studio) {}
    }

    @Test("Chromium plays ten seconds on the relay's page, which shows the titles")
    func chromium() async throws {
        let (studio, relay) = try await Studio.relayed()
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run("document.querySelector('audio').play()")
        let deadline = MonotonicInstant.now + .seconds(60)
        var position = 0.0
        while position < 10, .now < deadline {
            position = try await browser.run("return document.querySelector('audio').currentTime")?.doubleValue ?? 0
        }
        #expect(position >= 10)
        #expect(try await browser.run("return document.querySelector('audio').error === null")?.boolValue == true)
        let text = try await browser.run("return document.body.innerText")?.stringValue ?? ""
        #expect(text.contains(Studio.name) && text.contains(Studio.titlePrefix), "\(text)")
        withExtendedLifetime(studio) {}
    }

    /// MPD's answer to commands, over its protocol.
    private func answer(of socket: String, to commands: String) async throws -> String {
        try await ChildProcess(
            "/bin/sh",
            [
                "-c", "printf '%s' \"$1\" | \"$0\" --silent --unix-socket \"$2\" telnet://localhost",
                try Tool.curl.path(), commands + "close\n", socket,
            ]
        ).outcome(within: .seconds(30)).text
    }

    /// The position in MPD's status.
    private func seconds(in state: String) -> Double {
        state.firstMatch(of: /elapsed: ([0-9.]+)/).flatMap { Double($0.output.1) } ?? 0
    }
}

extension Trait where Self == ConditionTrait {
    /// Enables a test only in `make players`; other runs skip it.
    static var byMakePlayers: Self {
        .enabled(if: Tool.hasPlayers, "`make players` runs this")
    }
}
