// SPDX-License-Identifier: MIT

import EventLoopTesting
import Playback
import RadioCore
import RadioFormats
import Stations
import Testing

@Suite("A player of finite sources in virtual time", .serialized)
struct QueuePlayerTests {
    private let rig: QueueRig

    init() throws { rig = try QueueRig() }

    private static let frame = FakeProgramme.usualSamples
    private static let failure = Failure(.dropped, "test", remedy: "none")

    private func file(_ frames: Int) -> FakeProgramme {
        let programme = FakeProgramme(.finite)
        programme.append(.milliseconds(24) * frames)
        programme.stop()
        return programme
    }

    @Test("Two files follow each other to the sample, without encoder delay and padding")
    func gapless() throws {
        let (first, second) = (file(250), file(250))
        // The first 100 samples are encoder delay, and the last 52 are padding.
        let last = Int64(250 * Self.frame - 52)
        let padding = last..<Int64(250 * Self.frame)
        var follower: Int?
        rig.onReceived = { id, _ in
            if follower == nil {
                follower = rig.player.follow(with: second, Passage(first: 100, padding: padding))
            } else if id == follower {
                rig.player.nothingFollows(nil)
            }
        }
        let id = rig.player.play(first, Passage(first: 100, padding: padding))
        rig.wait(.seconds(14))
        #expect(rig.isFinished && rig.heard == [id, follower])
        let each = Array(100..<Int(last)).map { Float($0) }
        let played = rig.sound.played
        #expect(played.count == 2 * each.count)
        // Both ends fade, and nothing between them does.
        let expected = each + each
        let wrong = played.indices.dropFirst(1_440).first { played[$0] != expected[$0] }
        #expect(wrong == nil, "sample \(wrong ?? 0)")
        #expect(rig.player.snapshot.status.stopReason == .endOfStream)
        #expect(rig.player.snapshot.underruns == 0)
    }

    /// As for two addresses that turn out to be items: the second one answered first, and its audio is being decoded
    /// when the first one is opened, which answers seconds later.
    @Test("Audio that is dropped while it is decoded is not heard before the first item, whichever frame it is")
    func droppedWhileDecoding() throws {
        let count = 100 * Self.frame
        for frame in 1...45 {
            let rig = try QueueRig()
            rig.player.isHeldBack = true
            var decoded = 0
            rig.voice?.onFrame = { [unowned rig] in
                decoded += 1
                if decoded == frame { rig.player.drop() }
            }
            _ = rig.player.play(file(200), Passage())
            rig.wait(.seconds(5))
            try #require(decoded >= frame)
            rig.player.isHeldBack = false
            rig.onReceived = { [unowned rig] _, _ in rig.player.nothingFollows(nil) }
            _ = rig.player.play(file(100), Passage())
            rig.wait(.seconds(4))
            let played = rig.sound.played
            // Only the ends fade.
            let wrong = (1_440..<(count - 1_440)).first { $0 >= played.count || played[$0] != Float($0) }
            #expect(rig.isFinished && played.count == count && wrong == nil, "frame \(frame): \(played.count)")
        }
    }

    @Test(
        "Audio after the end that a file's head states is heard, also if it arrives late", arguments: [0, 5, 100],
        [1, 3_000])
    func longerThanStated(more: Int, padding: Int64) throws {
        let rig = try QueueRig(endsAfterSource: true)
        let programme = FakeProgramme(.finite)
        programme.append(.milliseconds(24) * 100)
        let stated = Int64(100 * Self.frame)
        _ = rig.player.play(programme, Passage(first: 100, padding: (stated - padding)..<stated))
        rig.wait(.seconds(1))
        programme.append(.milliseconds(24) * more)
        programme.stop()
        rig.wait(.seconds(6))
        #expect(rig.isFinished)
        let heard = stated + Int64(more * Self.frame) - 100 - (more == 0 ? padding : 0)
        #expect(rig.sound.played.count == Int(heard) && rig.player.snapshot.underruns == 0)
    }

    @Test("Only a station's stream may change its rate: a file between two stations gets a stream of its own")
    func variableRates() throws {
        let station = FakeProgramme(.live)
        let programmes = [file(100), file(100), station, file(100)]
        station.append(.seconds(2))
        station.stop()
        var next = 1
        rig.onReceived = { _, _ in
            guard next < programmes.count else { return rig.player.nothingFollows(nil) }
            next += 1
            _ = rig.player.follow(with: programmes[next - 1], Passage())
        }
        _ = rig.player.play(programmes[0], Passage())
        rig.wait(.seconds(15))
        #expect(rig.isFinished && rig.sound.variableRates == [false, true, false])
    }

    @Test("A last file that cannot be decoded does not cut off the file before it", arguments: [0, 250])
    func undecodableAtEnd(framesBefore: Int) throws {
        let bad = FakeProgramme(.finite, codec: InlineVoice.undecodable)
        bad.append(.seconds(1))
        bad.stop()
        let isAlone = framesBefore == 0
        var undecodable = 0
        rig.onReceived = { _, _ in
            if isAlone || rig.received.count == 2 {
                rig.player.nothingFollows(nil)
            } else {
                _ = rig.player.follow(with: bad, Passage())
            }
        }
        rig.onUndecodable = { _, failure in
            undecodable += 1
            rig.player.nothingFollows(isAlone ? failure : nil)
        }
        _ = rig.player.play(isAlone ? bad : file(framesBefore), Passage())
        rig.wait(.seconds(8))
        #expect(rig.isFinished)
        #expect(undecodable == 1)
        #expect(rig.sound.played.count == framesBefore * Self.frame)
        #expect(rig.player.snapshot.status.stopReason == (isAlone ? .error : .endOfStream))
    }

    @Test("A file without any good frame is reported, wherever it stands", arguments: [0, 1])
    func allDamaged(place: Int) throws {
        let bad = FakeProgramme(.finite)
        bad.isDamaged = true
        bad.append(.seconds(1))
        bad.stop()
        let files = place == 0 ? [bad, file(100)] : [file(100), bad]
        var undecodable: [Int] = []
        rig.onReceived = { _, _ in
            if rig.received.count == 1 {
                _ = rig.player.follow(with: files[1], Passage())
            } else {
                rig.player.nothingFollows(nil)
            }
        }
        rig.onUndecodable = { id, _ in undecodable.append(id) }
        let first = rig.player.play(files[0], Passage())
        rig.wait(.seconds(6))
        #expect(rig.isFinished)
        #expect(undecodable == [first + place])
        #expect(rig.sound.played.count == 100 * Self.frame)
    }

    @Test("A jump before the first sound loses no beginning")
    func jumpBeforeSound() throws {
        let rig = try QueueRig(endsAfterSource: true)
        rig.sound.goDown()
        let id = rig.player.play(file(250), Passage())
        rig.wait(.seconds(1))
        #expect(rig.player.seek(to: .seconds(2)))
        rig.sound.comeUp()
        rig.wait(.seconds(8))
        #expect(rig.isFinished && rig.heard == [id])
        let heard = rig.player.snapshot.heard
        #expect(abs(heard / .milliseconds(24) - (250 - 2_000.0 / 24)) < 2, "\(heard)")
    }

    @Test("The end of the queue can be revoked before the first sound", arguments: [10, 250])
    func goesOnBeforeSound(frames: Int) throws {
        let rig = try QueueRig(endsAfterSource: true)
        rig.sound.goDown()
        let first = rig.player.play(file(frames), Passage())
        rig.wait(.seconds(1))
        #expect(rig.player.mayProceed())
        let second = rig.player.follow(with: file(50), Passage())
        rig.sound.comeUp()
        // The command gives the voice a turn, in which it finds the virtual server.
        rig.player.perform(.volume(1))
        rig.wait(.seconds(12))
        #expect(rig.isFinished && rig.heard == [first, second])
        #expect(rig.sound.played.count == (frames + 50) * Self.frame)
    }

    @Test("A last item without audio ends the queue after the item before it was heard")
    func silentAtEnd() throws {
        let silent = FakeProgramme(.finite)
        rig.onReceived = { _, _ in
            if rig.received.count == 1 {
                _ = rig.player.follow(with: silent, Passage())
            } else {
                rig.player.nothingFollows(nil)
            }
        }
        _ = rig.player.play(file(50), Passage())
        rig.wait(.seconds(5))
        #expect(!rig.isFinished)
        silent.stop()
        rig.wait(.seconds(2))
        #expect(rig.isFinished && rig.player.snapshot.status.stopReason == .endOfStream)
        #expect(rig.player.snapshot.underruns == 0)
    }

    @Test("After a skip the player waits as long as usual for a lost output")
    func patienceAfterSkip() throws {
        var settings = PlayerSettings()
        settings.giveUp = .seconds(10)
        let rig = try QueueRig(settings)
        _ = rig.player.play(file(2_000), Passage())
        rig.wait(.seconds(2))
        _ = rig.player.play(file(2_000), Passage())
        rig.wait(.seconds(6))
        rig.sound.goDown()
        rig.wait(.seconds(9))
        #expect(!rig.isFinished)
        rig.wait(.seconds(2))
        #expect(rig.isFinished && rig.player.snapshot.status.stopReason == .error)
    }

    @Test("Samples cut off between two files do not count as heard")
    func heardOfTwo() throws {
        let second = file(250)
        rig.onReceived = { _, _ in
            if rig.received.count == 2 {
                rig.player.nothingFollows(nil)
            } else {
                _ = rig.player.follow(with: second, Passage(first: 240 * Int64(Self.frame)))
            }
        }
        _ = rig.player.play(file(250), Passage())
        rig.wait(.seconds(14))
        #expect(rig.isFinished)
        let heard = rig.player.snapshot.heard
        #expect(abs(heard / .milliseconds(24) - 260) < 5, "\(heard)")
    }

    @Test("A Vorbis file ends where its last frame says", arguments: [1, 250])
    func lastFrame(frames: Int) throws {
        let rig = try QueueRig(endsAfterSource: true)
        let programme = FakeProgramme(.finite, codec: .vorbis)
        programme.append(.milliseconds(24) * frames)
        _ = rig.player.play(programme, Passage())
        rig.wait(.milliseconds(100))
        CountingDecoder.frame(Int64(frames)).withUnsafeBytes {
            programme.hub.append($0, samples: 100, backReference: 0)
        }
        programme.stop()
        rig.wait(.seconds(8))
        #expect(rig.isFinished && rig.sound.played.count == frames * Self.frame + 100)
    }

    @Test(
        "A player that is held back plays nothing, and drops its item if another one is played",
        arguments: [true, false])
    func heldBackItem(isDropped: Bool) throws {
        rig.player.isHeldBack = true
        rig.onReceived = { _, _ in if !rig.player.isHeldBack { rig.player.nothingFollows(nil) } }
        let first = rig.player.play(file(50), Passage())
        rig.wait(.seconds(3))
        #expect(rig.sound.played.isEmpty && rig.heard.isEmpty)
        var heard = [first]
        if isDropped {
            rig.player.drop()
            rig.player.isHeldBack = false
            rig.wait(.seconds(1))
            #expect(rig.sound.played.isEmpty && rig.heard.isEmpty)
            heard = [rig.player.play(file(20), Passage())]
        } else {
            rig.player.isHeldBack = false
            rig.player.nothingFollows(nil)
        }
        rig.wait(.seconds(3))
        #expect(rig.isFinished && rig.heard == heard)
        #expect(rig.sound.played.count == (isDropped ? 20 : 50) * Self.frame)
    }

    @Test("Playback may start after a change of format, without playing anything before it")
    func placeBehindFormat() throws {
        let programme = FakeProgramme(.finite)
        programme.append(.milliseconds(24) * 50)
        programme.hub.begin(StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 1))
        for number in 50..<100 {
            CountingDecoder.frame(Int64(number)).withUnsafeBytes {
                programme.hub.append($0, samples: Self.frame, backReference: 0)
            }
        }
        programme.stop()
        rig.onReceived = { _, _ in rig.player.nothingFollows(nil) }
        let start = Duration.milliseconds(24) * 60
        _ = rig.player.play(programme, Passage(first: Int64(60 * Self.frame), start: start))
        rig.wait(.seconds(3))
        #expect(rig.isFinished && rig.sound.played.count == 40 * Self.frame)
    }

    @Test("Files of 100 ms are played to their last sample")
    func short() throws {
        var left = 3
        rig.onReceived = { _, _ in
            left -= 1
            if left > 0 { _ = rig.player.follow(with: file(4), Passage()) } else { rig.player.nothingFollows(nil) }
        }
        _ = rig.player.play(file(4), Passage())
        rig.wait(.seconds(2))
        #expect(rig.isFinished && rig.sound.played.count == 3 * 4 * Self.frame)
        #expect(rig.sound.played.last == Float(4 * Self.frame - 1) && rig.heard.count == 3)
    }

    @Test("Files of different formats are all played, even if the next is ready before the first begins")
    func formats() throws {
        var files = [2, 1, 2].map { channels -> FakeProgramme in
            let programme = FakeProgramme(.finite, channels: channels)
            programme.append(.milliseconds(240))
            programme.stop()
            return programme
        }
        rig.onReceived = { _, _ in
            if files.isEmpty { return rig.player.nothingFollows(nil) }
            _ = rig.player.follow(with: files.removeFirst(), Passage())
        }
        _ = rig.player.play(files.removeFirst(), Passage())
        rig.wait(.seconds(3))
        #expect(rig.isFinished && rig.sound.opens == 3 && rig.sound.played.count == 3 * 10 * Self.frame)
        #expect(rig.heard.count == 3 && rig.player.snapshot.heard == .milliseconds(720))
    }

    @Test("A file that arrives slower than it plays is waited for, and does not end early")
    func slow() throws {
        let rig = try QueueRig(endsAfterSource: true)
        let programme = FakeProgramme(.finite)
        _ = rig.player.play(programme, Passage(length: .seconds(12)))
        // The programme sends 12 s of audio in 24 s.
        for _ in 0..<240 {
            rig.reactor.advance(by: .milliseconds(100))
            programme.append(.milliseconds(50))
        }
        #expect(!rig.isFinished)
        programme.stop()
        rig.wait(.seconds(14))
        #expect(rig.isFinished && rig.sound.played.count == 500 * Self.frame)
        // Playback began late enough not to run out of audio.
        #expect(rig.player.snapshot.underruns == 0)
        #expect(rig.player.snapshot.status.stopReason == .endOfStream)
    }

    @Test("A file of unknown length rebuffers when it runs out")
    func starves() throws {
        let rig = try QueueRig(endsAfterSource: true)
        let programme = FakeProgramme(.finite)
        _ = rig.player.play(programme, Passage())
        programme.append(.seconds(3))
        rig.wait(.seconds(5))
        #expect(rig.states.last == .rebuffering(.slow))
        programme.append(.seconds(3))
        rig.wait(.seconds(1))
        #expect(rig.states.last == .playing)
        programme.stop()
        rig.wait(.seconds(5))
        #expect(rig.isFinished && rig.sound.played.last == Float(250 * Self.frame - 1))
    }

    @Test("A thousand programmes in one player leave nothing behind")
    func thousand() throws {
        var programmes: [WeakProgramme] = []
        for number in 0..<1_000 {
            let programme = number % 2 == 0 ? file(100) : FakeProgramme(.live)
            programme.append(.seconds(2))
            programmes.append(WeakProgramme(programme: programme))
            _ = rig.player.play(programme, Passage())
            rig.wait(.milliseconds(number % 7 * 100))
        }
        rig.wait(.seconds(1))
        #expect(programmes.count { $0.programme != nil } <= 2)
        #expect(rig.states.last == .playing)
    }

    private struct WeakProgramme {
        weak var programme: FakeProgramme?
    }

    @Test("A late next item is waited for, and this is not counted as an underrun")
    func lateFollower() throws {
        _ = rig.player.play(file(200), Passage())
        rig.wait(.seconds(8))
        #expect(rig.states.last == .rebuffering(.slow))
        let next = FakeProgramme(.finite)
        _ = rig.player.follow(with: next, Passage())
        rig.wait(.seconds(2))
        #expect(rig.states.last.map { if case .rebuffering = $0 { true } else { false } } == true)
        next.append(.milliseconds(200))
        rig.wait(.seconds(1))
        // 200 ms of audio are not enough for the next item to begin.
        #expect(rig.sound.played.count <= 200 * 1_152)
        next.append(.seconds(3))
        rig.wait(.seconds(5))
        #expect(rig.sound.played.count > 260 * 1_152 && rig.player.snapshot.underruns <= 1)
    }

    @Test("A programme that breaks off is continued by another from that position")
    func brokenOff() throws {
        let first = FakeProgramme(.finite)
        var place: Duration?
        rig.onReceived = { id, failure in
            guard failure != nil else { return rig.player.nothingFollows(nil) }
            place = rig.player.received(id)
            let rest = file(250)
            _ = rig.player.follow(with: rest, Passage(first: Int64(125 * Self.frame), start: place ?? .zero))
        }
        _ = rig.player.play(first, Passage(length: .seconds(6)))
        first.append(.seconds(3))
        first.hub.end(Self.failure)
        rig.wait(.seconds(8))
        #expect(place == .seconds(3))
        #expect(rig.isFinished)
        let played = rig.sound.played
        #expect(played.count == 250 * Self.frame)
        #expect(played.indices.dropFirst(1_440).allSatisfy { played[$0] == Float($0) })
        #expect(rig.player.snapshot.status.stopReason == .endOfStream)
    }

    @Test("A failure at the end is reported after the remaining audio was heard")
    func failure() throws {
        let programme = FakeProgramme(.live)
        rig.onReceived = { _, failure in rig.player.nothingFollows(failure) }
        _ = rig.player.play(programme, Passage())
        programme.append(.seconds(3))
        rig.wait(.seconds(1))
        programme.hub.end(Self.failure)
        #expect(!rig.isFinished)
        rig.wait(.seconds(4))
        #expect(rig.isFinished && rig.sound.played.count == 125 * Self.frame)
        #expect(rig.player.snapshot.status.stopReason == .error)
        #expect(rig.player.snapshot.status.error?.failure == Self.failure)
    }

    @Test("Another item is played at once, and the buffered audio of the first is dropped")
    func cut() throws {
        let first = file(500)
        _ = rig.player.play(first, Passage(length: .seconds(12)))
        rig.wait(.seconds(3))
        let before = rig.sound.played.count
        rig.onReceived = { _, _ in rig.player.nothingFollows(nil) }
        _ = rig.player.play(file(125), Passage(start: .seconds(60), length: .seconds(63)))
        #expect(rig.player.snapshot.position == .seconds(60))
        rig.wait(.seconds(1))
        #expect(rig.player.snapshot.position.map { $0 > .seconds(60) && $0 < .milliseconds(61_100) } == true)
        rig.wait(.seconds(4))
        #expect(rig.isFinished)
        let after = rig.sound.played.dropFirst(before)
        #expect(after.count < 125 * Self.frame + 48_000 / 5 && after.last == Float(125 * Self.frame - 1))
    }

    @Test("A position in the ring is sought at once, and a position outside it is refused")
    func seek() throws {
        let programme = FakeProgramme(.finite)
        _ = rig.player.play(programme, Passage(length: .seconds(60)))
        programme.append(.seconds(20))
        rig.wait(.seconds(2))
        let heard = rig.player.snapshot.heard
        #expect(rig.player.seek(to: .seconds(12)) && rig.player.snapshot.position == .seconds(12))
        rig.wait(.seconds(1))
        let position = rig.player.snapshot.position ?? .zero
        #expect(position > .milliseconds(12_500) && position < .milliseconds(13_200))
        #expect(rig.player.snapshot.heard - heard < .milliseconds(1_200))
        #expect(!rig.player.seek(to: .seconds(30)))
        #expect(rig.player.seek(to: .seconds(1)))
        rig.wait(.seconds(1))
        #expect(rig.player.snapshot.position.map { $0 < .milliseconds(2_200) } == true)
    }

    @Test("A file that arrives at full speed is held back")
    func heldBack() throws {
        let programme = FakeProgramme(.finite)
        _ = rig.player.play(programme, Passage(length: .seconds(3_600)))
        var most = Duration.zero
        for _ in 0..<500 {
            if !programme.isPaused { programme.append(.seconds(5)) }
            rig.reactor.advance(by: .milliseconds(100))
            most = max(most, rig.player.snapshot.behind)
        }
        #expect(most < .seconds(40))
        #expect(programme.frames < 4_000)
        let played = rig.sound.played
        #expect(played.count > 48_000 * 48)
        #expect(played.indices.dropFirst(1_440).allSatisfy { played[$0] == Float($0) })
    }
}
