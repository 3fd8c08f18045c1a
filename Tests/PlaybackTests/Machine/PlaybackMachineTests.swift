// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

@testable import Playback

@Suite("The life of a player")
struct PlaybackMachineTests {
    private let trouble = Failure(.sound, "no server", remedy: "start one")
    private let broken = Failure(.dropped, "closed", remedy: "wait")

    private func machine(_ events: PlaybackMachine.Event...) -> PlaybackMachine {
        var machine = PlaybackMachine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    @Test("A player opens, fills its buffer and begins to play")
    func begin() {
        var machine = PlaybackMachine()
        #expect(machine.state == .idle && machine.handle(.begin) == [] && machine.state == .opening)
        #expect(machine.handle(.audioCame) == [])
        #expect(machine.state == .opening, "there is no output yet")
        #expect(machine.handle(.outputOpened) == [] && machine.state == .prebuffering)
        #expect(machine.handle(.filled) == [.sound] && machine.state == .playing)
    }

    @Test("A player that runs out of audio waits, states the reason and resumes once")
    func starving() {
        var machine = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(machine.handle(.starved(.stalled)) == [.hush] && machine.state == .rebuffering(.stalled))
        #expect(machine.handle(.waiting(.reconnecting)) == [])
        #expect(machine.state == .rebuffering(.reconnecting) && machine.handle(.filled) == [.sound])
        #expect(machine.handle(.filled) == [])
    }

    @Test("A paused player stays paused until it is resumed, whatever else happens")
    func pause() {
        var machine = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(machine.handle(.pause) == [.hush])
        #expect(machine.handle(.outputLost(trouble)) == [])
        #expect(machine.handle(.outputOpened) == [] && machine.state == .paused)
        #expect(machine.handle(.resume) == [.sound])
    }

    @Test("A pause by the sound server is ended only by the sound server")
    func held() {
        var machine = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(machine.handle(.held(true)) == [.hush])
        #expect(machine.handle(.resume) == [] && machine.state == .paused && machine.status.isHeld)
        #expect(machine.handle(.held(false)) == [.sound])
    }

    @Test("A pause by the sound server ends when the paused output is lost")
    func heldAndLost() {
        var machine = machine(.begin, .audioCame, .outputOpened, .filled, .held(true))
        #expect(machine.handle(.outputLost(trouble)) == [])
        #expect(machine.state == .rebuffering(.outputLost) && !machine.status.isHeld)
        #expect(machine.handle(.outputOpened) == [.sound])
    }

    @Test("A lost output is an error that is cleared when an output opens again")
    func outputLost() {
        var machine = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(machine.handle(.outputLost(trouble)) == [.hush])
        #expect(machine.state == .rebuffering(.outputLost))
        #expect(machine.status.error == PlaybackError(.output, trouble))
        #expect(machine.handle(.outputOpened) == [.sound] && machine.status.error == nil)
    }

    @Test("Buffered audio is played to its end, and a failure that ended the programme is then reported")
    func end() {
        var proper = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(proper.handle(.programmeEnded(nil)) == [] && proper.state == .draining)
        #expect(proper.handle(.drained) == [.finish])
        #expect(proper.state == .stopped && proper.status.stopReason == .endOfStream)

        var failed = machine(.begin, .audioCame, .outputOpened, .filled, .programmeEnded(broken))
        #expect(failed.state == .draining && failed.handle(.drained) != [])
        #expect(failed.status.stopReason == .error)
        #expect(failed.status.error == PlaybackError(.programme, broken))
    }

    @Test("A programme that ends before the buffer is full is played whole")
    func short() {
        var machine = machine(.begin, .audioCame, .programmeEnded(nil))
        #expect(machine.state == .opening && machine.handle(.outputOpened) == [.sound])
        #expect(machine.state == .draining)
    }

    @Test("A programme without audio stops the player at once")
    func nothing() {
        var machine = machine(.begin)
        #expect(machine.handle(.programmeEnded(broken)) == [.finish])
        #expect(machine.status.stopReason == .error && machine.status.error?.stage == .programme)
    }

    @Test("A stop fades out audible sound and stops a silent player at once")
    func stop() {
        var playing = machine(.begin, .audioCame, .outputOpened, .filled)
        #expect(playing.handle(.stop(.user)) == [.close] && playing.state == .stopping)
        #expect(playing.handle(.filled) == [])
        #expect(playing.handle(.silent) == [.finish] && playing.status.stopReason == .user)

        var paused = machine(.begin, .audioCame, .outputOpened, .filled, .pause)
        #expect(paused.handle(.stop(.temporary)) == [.finish] && paused.status.stopReason == .temporary)
    }

    @Test("A player that finds no sound server in time gives up and reports the cause")
    func giveUp() {
        var machine = machine(.begin, .outputLost(trouble))
        #expect(machine.handle(.gaveUp(broken)) == [.finish])
        #expect(machine.status.error == PlaybackError(.output, trouble))
        #expect(machine.status.stopReason == .error)
    }

    // MARK: - An oracle

    /// What must hold after any events, specified independently of the machine.
    private struct Oracle {
        var begun = false
        var audio = false
        var enough = false
        var played = false
        var over = false
        var paused = false
        var held = false
        var output = false
        var stopped = false
        var sounding = false

        mutating func check(_ event: PlaybackMachine.Event, _ orders: [PlaybackMachine.Order], _ state: PlaybackState) {
            for order in orders {
                switch order {
                case .sound:
                    #expect(!sounding && audio && output && !paused && !held && !stopped, "\(event)")
                    sounding = true
                    played = true
                case .hush:
                    #expect(sounding, "\(event)")
                    sounding = false
                case .close:
                    #expect(sounding && state == .stopping)
                    sounding = false
                case .finish:
                    #expect(!stopped && state == .stopped)
                    (stopped, sounding) = (true, false)
                }
            }
            switch state {
            case .playing: #expect(sounding && enough)
            case .draining: #expect(sounding && over)
            case .paused: #expect(!sounding && (paused || held))
            case .rebuffering(.outputLost): #expect(!sounding && played && !output)
            case .rebuffering: #expect(!sounding && played && !(audio && enough))
            case .prebuffering: #expect(!sounding && !played && audio && !enough)
            case .opening: #expect(!sounding && !(audio && output))
            case .idle: #expect(!begun)
            case .stopping: #expect(!stopped)
            case .stopped: #expect(!sounding)
            }
        }

        mutating func note(_ event: PlaybackMachine.Event, isRunning: Bool) {
            guard isRunning || event == .begin else { return }
            switch event {
            case .begin: begun = true
            case .audioCame: audio = true
            case .filled: enough = true
            case .starved, .jump: enough = false
            case .dropped: (audio, enough, played) = (false, false, false)
            case .programmeEnded: over = true
            case .programmeFollows: over = false
            case .outputOpened: output = true
            case .outputLost: (output, held) = (false, false)
            case .held(let isHeld): held = isHeld
            case .pause: paused = true
            case .resume: paused = false
            case .waiting, .decodingFailed, .stop, .drained, .silent, .gaveUp: break
            }
        }
    }

    @Test("Under random events, orders to the sound output follow the facts and are never repeated", arguments: 1...40)
    func random(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<50 {
            var machine = PlaybackMachine()
            var oracle = Oracle()
            for step in 0..<60 {
                let event = step == 0 ? .begin : draw(&random)
                let isRunning = ![.stopping, .stopped, .idle].contains(machine.state)
                oracle.note(event, isRunning: isRunning)
                let orders = machine.handle(event)
                oracle.check(event, orders, machine.state)
                if machine.state == .stopped {
                    #expect(machine.status.stopReason != .none && machine.handle(draw(&random)) == [])
                }
                #expect((machine.status.stopReason == .error) <= (machine.status.error != nil))
            }
        }
    }

    private func draw(_ random: inout SplitMix64) -> PlaybackMachine.Event {
        switch random.next() % 24 {
        case 0, 1, 2: .audioCame
        case 3, 4, 5: .filled
        case 6: .starved(.slow)
        case 7: .waiting(.stalled)
        case 8: .outputLost(trouble)
        case 9, 10, 11: .outputOpened
        case 12: .held(true)
        case 13, 14: .held(false)
        case 15: .pause
        case 16, 17: .resume
        case 18: random.next() % 4 == 0 ? .dropped : .jump
        case 19: .drained
        case 20: .silent
        case 21: random.next() % 4 == 0 ? .programmeEnded(random.next() % 2 == 0 ? nil : broken) : .filled
        case 22: random.next() % 8 == 0 ? .stop(.user) : random.next() % 2 == 0 ? .programmeFollows : .outputOpened
        default: random.next() % 16 == 0 ? (random.next() % 2 == 0 ? .decodingFailed(broken) : .gaveUp(broken)) : .begin
        }
    }
}

/// Whether `left` implies `right`.
private func <= (left: Bool, right: Bool) -> Bool { !left || right }
