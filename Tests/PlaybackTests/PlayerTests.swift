// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import Playback
import RadioCore
import Stations
import Testing

@Suite("A player in virtual time")
struct PlayerTests {
    /// Expects each sample once and in order, except in the fades at both ends.
    private func expectWhole(_ played: [Float], from first: Int = 0, fade: Int = 1_440) {
        let middle = played.enumerated().dropFirst(fade).dropLast(fade)
        let wrong = middle.first { Int($0.element) != first + $0.offset }
        #expect(wrong == nil, "sample \(wrong?.offset ?? 0) of \(played.count) is \(wrong?.element ?? 0)")
    }

    @Test("A burst is played at once and completely, followed by all later audio")
    func burst() throws {
        let rig = try PlayerRig()
        #expect(rig.state == .opening)
        rig.run(.seconds(20), burst: .seconds(4))
        #expect(rig.state == .playing && rig.states == [.opening, .prebuffering, .playing])
        expectWhole(rig.sound.played)
        #expect(rig.sound.played.count > 48_000 * 19 && rig.player.snapshot.behind > .milliseconds(3_500))
    }

    @Test("Without a burst, playback starts after a second of audio")
    func noBurst() throws {
        let rig = try PlayerRig(running: .milliseconds(900))
        #expect(rig.state == .prebuffering)
        rig.run(.seconds(10))
        #expect(rig.states == [.opening, .prebuffering, .playing])
        expectWhole(rig.sound.played)
    }

    @Test("A pause keeps the audio that arrives, and playback resumes at the same position")
    func pause() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(2))
        rig.perform(.pause, for: .seconds(60))
        #expect(rig.state == .paused)
        let before = rig.sound.played.count
        #expect(before < 48_000 * 6)
        rig.perform(.resume, for: .seconds(5))
        #expect(rig.state == .playing && rig.player.snapshot.behind > .seconds(60))
        // The audio of the fade is played twice: fading out, and in again.
        let after = rig.sound.played[before...].dropFirst(1_440).dropLast(1_440)
        let expected = Int(rig.sound.played[before - 1_441]) + 1
        #expect(after.first.map { Int($0) }.map { abs($0 - expected) <= 2_880 } ?? false)
        #expect(zip(after, after.dropFirst()).allSatisfy { $1 - $0 == 1 })
    }

    @Test("Playback may jump to the live edge")
    func liveEdge() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(2))
        rig.perform(.pause, for: .seconds(60))
        rig.player.perform(.liveEdge)
        rig.perform(.resume, for: .seconds(5))
        #expect(rig.state == .playing && rig.player.snapshot.behind < .seconds(3))
    }

    @Test("A paused player keeps its position while the sound server is unavailable for long")
    func pausedWithoutServer() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(2))
        rig.perform(.pause, for: .seconds(5))
        rig.sound.goDown()
        rig.run(.seconds(30))
        rig.sound.comeUp()
        rig.voice?.soon()
        rig.run(.seconds(5))
        #expect(rig.state == .paused)
        rig.perform(.resume, for: .seconds(5))
        #expect(rig.player.snapshot.behind > .seconds(40))
    }

    @Test("A sound server that goes away for good is waited for as long as at the start")
    func gaveUpLater() throws {
        var settings = PlayerSettings()
        settings.giveUp = .seconds(20)
        let rig = try PlayerRig(settings, running: .seconds(30), burst: .seconds(2))
        rig.sound.goDown()
        rig.run(.seconds(19))
        #expect(!rig.isFinished)
        rig.run(.seconds(2))
        #expect(rig.isFinished && rig.player.snapshot.status.stopReason == .error)
    }

    @Test("A station that starts at an instant begins with the audio on air at that time")
    func startOfStation() throws {
        var settings = PlayerSettings()
        settings.start = ManualReactor().wallNow + .seconds(600)
        let rig = try PlayerRig(settings, running: .seconds(599), burst: .seconds(2), step: .seconds(1))
        #expect(rig.sound.played.allSatisfy { $0 == 0 })
        rig.run(.seconds(10))
        #expect(rig.state == .playing && rig.player.snapshot.behind < .seconds(5))
        #expect((rig.sound.played.max() ?? 0) > 48_000 * 595)
    }

    @Test("A jump forward ends at the live edge, and does nothing from there")
    func forwardToTheEdge() throws {
        let rig = try PlayerRig(running: .seconds(10), burst: .seconds(6))
        rig.perform(.seek(.seconds(10)), for: .seconds(5))
        #expect(abs(rig.player.snapshot.behind.inSeconds - 2) < 0.5)
        let states = rig.states
        rig.perform(.seek(.seconds(10)), for: .seconds(5))
        #expect(rig.states == states && rig.player.snapshot.underruns == 0)
    }

    @Test("After a pause longer than the ring, playback resumes at the oldest audio")
    func longPause() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(2))
        rig.player.perform(.pause)
        rig.run(.seconds(45 * 60), step: .seconds(1))
        rig.perform(.resume, for: .seconds(10))
        #expect(rig.state == .playing && rig.player.snapshot.behind > .seconds(29 * 60))
        #expect(rig.player.snapshot.behind < .seconds(31 * 60))
        // The pause was a quarter of an hour longer than audio is kept.
        let skipped = rig.player.snapshot.skipped
        #expect(abs(skipped.inSeconds - 15 * 60) < 60, "\(skipped)")
    }

    @Test("After an underrun the buffer is refilled to its cue, and the cue is raised")
    func underrun() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(1))
        rig.programme.activity = .waiting(.seconds(1), after: nil)
        rig.wait(.seconds(5))
        #expect(rig.state == .rebuffering(.reconnecting))
        rig.programme.activity = .delivering
        rig.run(.milliseconds(1_500))
        #expect(rig.state == .rebuffering(.slow))
        rig.run(.seconds(5))
        #expect(rig.state == .playing && rig.player.snapshot.underruns == 1)
        let jumps = zip(rig.sound.played, rig.sound.played.dropFirst()).filter { $1 > 1_440 && $1 - $0 > 1_500 }
        #expect(jumps.isEmpty)
    }

    @Test("The live edge command does not resume a paused file")
    func fileHasNoLiveEdge() throws {
        let rig = try PlayerRig(PlayerSettings(), .finite, running: .seconds(4), burst: .seconds(10))
        rig.perform(.pause, for: .seconds(1))
        rig.perform(.liveEdge, for: .seconds(1))
        #expect(rig.state == .paused)
    }

    @Test("A decoder that starts slowly after a jump causes no underrun")
    func slowDecoder() throws {
        let rig = try PlayerRig(running: .seconds(10), burst: .seconds(4))
        for _ in 0..<5 {
            rig.voice?.decodersAreReady = false
            rig.perform(.seek(.seconds(-1)), for: .seconds(1))
            rig.voice?.decodersAreReady = true
            rig.run(.seconds(1))
            #expect(rig.state == .playing && rig.player.snapshot.underruns == 0)
        }
    }

    @Test("A wait for audio is reported once, after two seconds, with its cause")
    func longWait() throws {
        func waits(_ rig: PlayerRig) -> [PlayerEvent] {
            rig.events.filter { if case .buffering = $0 { true } else { false } }
        }
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(1))
        #expect(waits(rig) == [])
        rig.programme.activity = .waiting(.seconds(1), after: nil)
        rig.wait(.milliseconds(2_500))
        #expect(waits(rig) == [])
        rig.wait(.seconds(20))
        #expect(waits(rig) == [.buffering(.reconnecting, isFirst: false)])
        rig.programme.activity = .delivering
        rig.run(.seconds(8))
        #expect(rig.state == .playing)
        rig.programme.silence = .seconds(5)
        rig.wait(.seconds(10))
        #expect(waits(rig).last == .buffering(.stalled, isFirst: false) && waits(rig).count == 2)
        let slow = try PlayerRig()
        slow.programme.append(.milliseconds(300))
        slow.wait(.seconds(5))
        #expect(waits(slow) == [.buffering(.slow, isFirst: true)])
    }

    @Test("A player that waits for an instant says so, and has no title before it")
    func start() throws {
        var settings = PlayerSettings()
        settings.start = ManualReactor().wallNow + .seconds(20)
        let rig = try PlayerRig(settings, running: .seconds(4), burst: .seconds(2))
        let told = rig.events.compactMap { if case .begins(let at, let time) = $0 { (at, time) } else { nil } }
        #expect(told.count == 1 && told.first?.0 == settings.start)
        #expect(told.first.map { $0.1 > .seconds(15) && $0.1 <= .seconds(20) } == true, "\(told)")
        #expect(rig.player.snapshot.beginsIn.map { abs($0.inSeconds - 16) < 0.1 } == true)
        rig.run(.seconds(20))
        #expect(rig.player.snapshot.beginsIn == nil && rig.player.snapshot.heard > .seconds(2))
    }

    @Test("The remaining audio is reported when the programme ends, if it is long", arguments: [true, false])
    func rest(isMuch: Bool) throws {
        let rig = try PlayerRig(running: .seconds(4), burst: .seconds(isMuch ? 10 : 1))
        rig.programme.stop()
        rig.wait(.seconds(20))
        let rests = rig.events.compactMap { if case .remaining(let rest) = $0 { rest } else { nil } }
        #expect(rig.isFinished && rests.map { abs($0.inSeconds - 10) < 0.5 } == (isMuch ? [true] : []), "\(rests)")
    }

    @Test("Buffered audio plays without interruption while the station is down")
    func reconnect() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.wait(.seconds(3))
        rig.programme.append(.seconds(3))
        rig.run(.seconds(10))
        #expect(rig.states == [.opening, .prebuffering, .playing])
        expectWhole(rig.sound.played)
    }

    @Test("At a gap the sound fades out and in, and a new decoder starts")
    func gap() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.programme.lose(.seconds(10), at: rig.reactor.wallNow)
        rig.run(.seconds(10))
        #expect(rig.state == .playing)
        let played = rig.sound.played
        let steps = zip(played, played.dropFirst()).map { abs($1 - $0) }
        // The decoder's values are sample numbers, so a cut of ten seconds would be a step of 480,000.
        #expect(steps.allSatisfy { $0 < 2_000 }, "\(steps.max() ?? 0)")
    }

    @Test(
        "A jump to just after a title decodes earlier frames, and a jump to just after a gap does not",
        arguments: [true, false])
    func preRoll(isTitle: Bool) throws {
        let rig = try PlayerRig(running: .seconds(10), burst: .seconds(4))
        let frame = rig.programme.hub.position.frames
        if isTitle {
            rig.programme.hub.setTitle("Second")
        } else {
            rig.programme.lose(.seconds(10), at: rig.reactor.wallNow)
        }
        rig.run(.seconds(10))
        // The distance leads to about three frames of 24 ms after the title or the gap.
        let distance = rig.programme.hub.ring.duration(from: frame) - .milliseconds(70)
        rig.perform(.seek(rig.player.snapshot.behind - distance), for: .seconds(1))
        let first = try #require(rig.voice?.firstFrames.last)
        #expect(isTitle == (first < frame), "\(first), \(frame)")
        #expect(rig.state == .playing && rig.player.snapshot.title == (isTitle ? "Second" : nil))
    }

    @Test("A sound server that restarts gets the audio that was not heard")
    func restart() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.sound.goDown()
        rig.run(.seconds(2))
        #expect(rig.state == .rebuffering(.outputLost))
        rig.sound.comeUp()
        rig.voice?.soon()
        rig.run(.seconds(5))
        #expect(rig.state == .playing && rig.sound.opens == 2)
        let played = rig.sound.played
        let holes = zip(played, played.dropFirst()).filter { $1 - $0 > 1 && $1 > 2_000 }
        #expect(holes.count <= 1_440, "\(holes.prefix(3))")
    }

    @Test("After a long loss of the sound server, a station resumes at its live edge")
    func longLoss() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.sound.goDown()
        rig.run(.seconds(60))
        rig.sound.comeUp()
        rig.voice?.soon()
        rig.run(.seconds(5))
        #expect(rig.state == .playing && rig.player.snapshot.behind < .seconds(4))
    }

    @Test("A programme is played to its last sample, and then the player ends")
    func end() throws {
        let rig = try PlayerRig()
        rig.programme.append(.milliseconds(120))
        rig.programme.stop()
        rig.wait(.seconds(1))
        #expect(rig.isFinished && rig.states == [.opening, .draining, .stopped])
        #expect(rig.player.snapshot.status.stopReason == .endOfStream)
        #expect(rig.sound.played.count == 5 * FakeProgramme.usualSamples)
        #expect(rig.sound.played.last == Float(5 * FakeProgramme.usualSamples - 1))
    }

    @Test("A stop fades the sound out and ends the player")
    func stop() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        let before = rig.sound.played.count
        rig.player.stop(.user)
        #expect(rig.state == .stopping)
        rig.wait(.seconds(1))
        #expect(rig.isFinished && rig.sound.played.count - before < 48_000 / 5)
        let tail = rig.sound.played.suffix(1_000)
        #expect((tail.last ?? 1) < (tail.first ?? 0) / 100)
    }

    @Test("A title is reported when its audio is heard")
    func titles() throws {
        let rig = try PlayerRig(running: .seconds(2), burst: .seconds(4))
        rig.programme.hub.setTitle("A - B")
        rig.run(.seconds(3))
        #expect(!rig.events.contains(.title("A - B")))
        rig.run(.seconds(2))
        #expect(rig.events.contains(.title("A - B")) && rig.player.snapshot.title == "A - B")
    }

    @Test("The sound server shows the title being heard, or else the station's name")
    func shownTitle() throws {
        let rig = try PlayerRig()
        var info = StationInfo(kind: .live, name: "Nova", url: "http://radio.test/")
        rig.programme.hub.announce(info)
        rig.run(.seconds(2), burst: .seconds(4))
        #expect(rig.sound.titles.last == "Nova")
        for title in ["A - B", ""] {
            rig.programme.hub.setTitle(title)
            rig.run(.seconds(6))
            #expect(rig.sound.titles.last == (title.isEmpty ? "Nova" : title))
            info.genre = title
            rig.programme.hub.announce(info)
            rig.run(.seconds(1))
            #expect(rig.sound.titles.last == (title.isEmpty ? "Nova" : title))
        }
    }

    @Test("After a jump the title is that of the audio being heard", arguments: [false, true])
    func titlesAfterJump(isPaused: Bool) throws {
        let rig = try PlayerRig(running: .seconds(10), burst: .seconds(4))
        for title in ["First", "Second"] {
            rig.programme.hub.setTitle(title)
            rig.run(.seconds(10))
        }
        #expect(rig.player.snapshot.title == "Second")
        for (back, title) in [(-10, "First"), (-10, nil), (10, "First"), (5, "Second")] {
            rig.perform(.seek(.seconds(back)), for: .seconds(1))
            #expect(rig.state == .playing && rig.player.snapshot.title == title, "\(back)")
        }
        rig.perform(.seek(.seconds(-10)), for: .seconds(1))
        #expect(rig.player.snapshot.title == "First")
        if isPaused { rig.player.perform(.pause) }
        rig.run(.seconds(2))
        rig.perform(.liveEdge, for: .seconds(3))
        #expect(rig.state == .playing && rig.player.snapshot.title == "Second")
    }

    @Test("Damaged frames end the player with a decoding error, and not one of the sound server")
    func damaged() throws {
        var settings = PlayerSettings()
        settings.giveUp = .seconds(5)
        let rig = try PlayerRig(settings)
        rig.programme.isDamaged = true
        rig.run(.seconds(8), burst: .seconds(2))
        #expect(rig.isFinished)
        let failure = rig.player.snapshot.status.error?.failure
        #expect(failure?.message.contains("decoded") == true, "\(String(describing: failure))")
    }

    @Test("A hold by the sound server pauses playback, which resumes after it")
    func held() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.sound.hold(true)
        rig.run(.seconds(3))
        #expect(rig.state == .paused && rig.player.snapshot.status.isHeld)
        rig.sound.hold(false)
        rig.run(.seconds(3))
        #expect(rig.state == .playing)
    }

    @Test("B3: Audio before and after a change of format is played, with less than half a second between")
    func formatChange() throws {
        let rig = try PlayerRig(running: .seconds(5), burst: .seconds(4))
        rig.programme.change(channels: 1)
        rig.run(.seconds(10))
        #expect(rig.sound.opens == 2 && rig.states == [.opening, .prebuffering, .playing])
        let played = rig.sound.played
        let steps = zip(played, played.dropFirst()).map { $1 - $0 }
        // Only the fades around the change differ from what was sent.
        #expect(steps.dropFirst(1_440).count { $0 != 1 } <= 2 * 1_440 + 1)
        #expect(played.count >= 48_000 * 15 - 24_000)
    }
}
