// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestSupport
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

    @Test("F31: The page plays on after a restart of the relay, and says meanwhile what is wrong")
    func restart() async throws {
        let studio = try await Studio()
        let options = ["--listen", "127.0.0.1:\(try Loopback.freePort())"]
        let first = try await studio.relay(options)
        let browser = try await Browser()
        try await browser.open(first.url("/"))
        _ = try await browser.run("document.querySelector('audio').play()")
        #expect(try await browser.waits(for: Self.plays))
        first.process.terminate()
        _ = try await first.process.outcome(within: .seconds(20))
        #expect(try await browser.waits(for: "document.body.innerText.includes('Aircheck does not answer.')"))
        let second = try await studio.relay(options)
        #expect(try await browser.waits(for: "\(Self.plays) && document.querySelector('.state').innerText === ''"))
        withExtendedLifetime(second) {}
    }

    @Test("F31: A station whose button is pressed while it is off the air is played as soon as it is back")
    func offAir() async throws {
        let studio = try await Studio(absences: [.init(.zero, for: .seconds(30), .gone)])
        let relay = try await Relaying([studio.origin.url("/studio")])
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run("document.querySelector('audio').play().catch(() => {})")
        #expect(try await browser.waits(for: "document.body.innerText.includes('Not on the air since')"))
        #expect(try await browser.waits(for: Self.plays))
    }

    @Test("F26: The page plays on when the station changes its sample rate and its channels")
    func kinds() async throws {
        let stereo = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 1))
        let mono = try await ReferenceProgramme.make(.init(.mp3(64), sampleRate: 48_000, channels: 1, seconds: 60))
        let command = "cat \"$0\" \"$1\" | \"$2\" relay - --listen 127.0.0.1:0"
        let relay = try await Relaying(
            try ChildProcess("/bin/sh", ["-c", command, stereo.path, mono.path, try aircheckBinary()]))
        try await relay.waitForAudio()
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run(
            """
            const audio = document.querySelector('audio');
            window.ends = 0;
            for (const event of ['ended', 'error']) audio.addEventListener(event, () => window.ends++);
            audio.play()
            """)
        #expect(try await browser.waits(for: "window.ends === 1 && \(Self.plays)"))
    }

    @Test("F31: Chromium plays the silence of an AAC station's outage when it is sent, and is not behind afterwards")
    func aacOutage() async throws {
        let programme = try Broadcast(try await ReferenceProgramme.make(.init(.aac(128), seconds: 130)))
        let script = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(25), for: .seconds(30), .gone)])
        let origin = try ScriptedOrigin(script)
        let relay = try await Relaying([origin.url("/studio")])
        try await relay.waitForAudio()
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run("document.querySelector('audio').play()")
        #expect(try await browser.waits(for: Self.plays))
        // How much later the page plays than if it had never paused.
        let lag = "performance.now() / 1000 - document.querySelector('audio').currentTime"
        let before = try #require(try await browser.run("return \(lag)")?.doubleValue)
        let line = "document.querySelector('.state').innerText"
        #expect(try await browser.waits(for: "\(line).includes('The station has been away since')"))
        #expect(try await browser.waits(for: "\(line) === ''"))
        let after = try #require(try await browser.run("return \(lag)")?.doubleValue)
        #expect(after - before < 10, "\(after - before) s behind")
        #expect(try await browser.run("return document.querySelector('audio').error === null")?.boolValue == true)
    }

    @Test("F31: A page that nobody sees asks nothing, and asks at once when it is seen")
    func hidden() async throws {
        let (studio, relay) = try await Studio.relayed()
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run(
            """
            const asks = window.fetch;
            window.questions = 0;
            window.fetch = (...request) => { window.questions++; return asks(...request); };
            window.isHidden = true;
            Object.defineProperty(document, 'hidden', { get: () => window.isHidden });
            // The page asks every five seconds.
            setTimeout(() => { window.hasPassed = true; }, 12000);
            """)
        #expect(try await browser.waits(for: "window.hasPassed"))
        #expect(try await browser.run("return window.questions")?.integerValue == 0)
        let isAsked = try await browser.run(
            """
            window.isHidden = false;
            document.dispatchEvent(new Event('visibilitychange'));
            return window.questions === 1;
            """)
        #expect(isAsked?.boolValue == true)
        withExtendedLifetime((studio, relay)) {}
    }

    @Test("F31: A full relay is called that, and its station is played as soon as there is room")
    func full() async throws {
        let (studio, relay) = try await Studio.relayed(["--max-listeners", "1"])
        let other = try ChildProcess(.curl, ["--silent", "--output", "/dev/null", relay.url()])
        #expect(try await waitUntil(.seconds(30)) { relay.hasListener() })
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run("document.querySelector('audio').play().catch(() => {})")
        #expect(try await browser.waits(for: "document.body.innerText.includes('There is no room for another')"))
        other.terminate()
        _ = try await other.outcome(within: .seconds(20))
        #expect(try await browser.waits(for: "\(Self.plays) && document.querySelector('.state').innerText === ''"))
        withExtendedLifetime(studio) {}
    }

    @Test("F31: A player whose decoder fails connects again")
    func undecodable() async throws {
        let (studio, relay) = try await Studio.relayed()
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        _ = try await browser.run("document.querySelector('audio').play()")
        #expect(try await browser.waits(for: Self.plays))
        let joined = try #require(try await relay.status().mounts.first?.listenersTotal)
        let isReset = try await browser.run(
            """
            const audio = document.querySelector('audio');
            Object.defineProperty(audio, 'error',
              { value: { code: MediaError.MEDIA_ERR_DECODE }, configurable: true });
            audio.dispatchEvent(new Event('error'));
            delete audio.error;
            return audio.currentTime === 0;
            """)
        #expect(isReset?.boolValue == true)
        #expect(try await browser.waits(for: "\(Self.plays) && document.querySelector('.state').innerText === ''"))
        #expect(try #require(try await relay.status().mounts.first?.listenersTotal) > joined)
        withExtendedLifetime(studio) {}
    }

    @Test("F31: The page tries less and less often while it is tried in vain, and soon again once it was heard")
    func backsOff() async throws {
        let (studio, relay) = try await Studio.relayed(["--max-listeners", "1"])
        let other = try ChildProcess(.curl, ["--silent", "--output", "/dev/null", relay.url()])
        #expect(try await waitUntil(.seconds(30)) { relay.hasListener() })
        let browser = try await Browser()
        try await browser.open(relay.url("/"))
        // The waits pass quickly.
        _ = try await browser.run(
            """
            const waits = window.setTimeout;
            window.waits = [];
            window.setTimeout = (body, time) => {
              window.waits.push(time);
              return waits(body, time / 20);
            };
            document.querySelector('audio').play().catch(() => {});
            """)
        #expect(try await browser.waits(for: "window.waits.length >= 8"))
        let times = try await browser.run("return window.waits")?.arrayValue?.compactMap(\.doubleValue) ?? []
        // Each wait is a quarter shorter or longer than twice the one before, up to half a minute.
        #expect(times.count >= 8 && times[1] < times[3] && times[0] < times[2] && times[2] < times[4], "\(times)")
        #expect(times[3] < times[5] && times.dropFirst(5).allSatisfy { $0 > times[3] && $0 <= 37_500 }, "\(times)")
        other.terminate()
        _ = try await other.outcome(within: .seconds(20))
        #expect(try await browser.waits(for: "document.querySelector('audio').currentTime > 11"))
        _ = try await browser.run(
            "window.waits = []; document.querySelector('audio').dispatchEvent(new Event('error'))")
        #expect(try await browser.waits(for: "window.waits.length === 1 && window.waits[0] < \(times[2])"))
        withExtendedLifetime(studio) {}
    }

    /// Whether the page plays, and has played for a moment.
    private static let plays =
        "document.querySelector('audio').currentTime > 2 && !document.querySelector('audio').paused"

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
    static var byMakePlayers: Self { .enabled(if: Tool.hasPlayers, "`make players` runs this") }
}
