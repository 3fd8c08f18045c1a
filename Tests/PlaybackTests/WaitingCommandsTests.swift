// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import SoundOutput
import TestSupport
import Testing

@testable import Playback

@Suite("What is said to a voice that does not listen")
struct WaitingCommandsTests {
    private func texts(_ commands: [VoiceCommand]) -> [String] { commands.map { "\($0)" } }

    @Test("The last command of each kind counts, and those that start or stop the sound come last")
    func latest() {
        var waiting = WaitingCommands()
        #expect(waiting.take().isEmpty)
        for number in 0..<5_000 {
            waiting.put(.volume(Double(number)))
            waiting.put(.sound(at: MonotonicInstant(nanoseconds: 1)))
            waiting.put(.mute(number.isMultiple(of: 2)))
            waiting.put(.hush)
            waiting.put(.title("title \(number)"))
            waiting.put(.sound(at: nil))
            waiting.put(.rate(Double(-number)))
        }
        let expected: [VoiceCommand] = [
            .rate(-4_999), .volume(4_999), .mute(false), .title("title 4999"), .sound(at: nil),
        ]
        #expect(texts(waiting.take()) == texts(expected))
        #expect(waiting.take().isEmpty)
        waiting.put(.hush)
        #expect(texts(waiting.take()) == ["hush"])
    }

    @Test("A close command is never revoked")
    func closed() {
        var waiting = WaitingCommands()
        waiting.put(.sound(at: nil))
        waiting.put(.close)
        waiting.put(.hush)
        waiting.put(.sound(at: nil))
        waiting.put(.volume(0.5))
        #expect(texts(waiting.take()) == texts([.volume(0.5), .close]))
    }

    /// Any sequence of commands leaves a voice in the same state, whether the commands are passed at once or one by
    /// one.
    @Test("A voice that gets its commands at once ends in the same state as one that gets each")
    func equivalent() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<500 {
            let commands = (0..<Int.random(in: 1...30, using: &random)).map { number -> VoiceCommand in
                switch Int.random(in: 0..<13, using: &random) {
                case 0...2: .sound(at: nil)
                case 3...5: .hush
                case 6: .close
                case 7, 8: .volume(Double(number))
                case 9, 10: .mute(number.isMultiple(of: 2))
                default: .title("\(number)")
                }
            }
            let (each, all) = (ToldOutput(), ToldOutput())
            let now = MonotonicInstant(nanoseconds: 1_000_000_000)
            let first = voice(each)
            for command in commands { first.turn([command], at: now) }
            let second = voice(all)
            var waiting = WaitingCommands()
            for command in commands { waiting.put(command) }
            second.turn(waiting.take(), at: now)
            #expect(first.isClosed == second.isClosed)
            var (left, right) = (each.state, all.state)
            // A closed voice is silent either way.
            if first.isClosed { (left.isPaused, right.isPaused) = (true, true) }
            #expect(left == right, "\(commands)")
        }
    }

    private func voice(_ output: ToldOutput) -> Voice {
        Voice(
            output, FramePipe(), measuresLoudness: false,
            makeDecoder: { CountingDecoder($0, samples: FakeProgramme.usualSamples, isSilent: true) }, tell: { _ in })
    }
}

@Suite("A sound server that hangs", .timeLimit(.minutes(1)))
struct HangingThreadTests {
    @Test("Commands sent to a hanging sound server are carried out when it continues")
    func hanging() throws {
        let said = Monitor(ToldOutput.State())
        let (gate, waiting) = (Monitor(false), Monitor(false))
        let thread = try SoundThread(
            measuresLoudness: false,
            makeOutput: {
                let output = ToldOutput()
                output.onChange = { state in
                    said.withLock { $0 = state }
                    said.signal()
                }
                output.onWait = {
                    waiting.withLock { $0 = true }
                    waiting.signal()
                    _ = gate.wait(until: nil) { $0 ? true : nil }
                }
                return output
            },
            makeDecoder: { CountingDecoder($0, samples: FakeProgramme.usualSamples, isSilent: true) }, tell: { _ in })
        _ = waiting.wait(until: nil) { $0 ? true : nil }
        for number in 0...4_000 {
            thread.send(.volume(Double(number)))
            thread.send(.title("\(number)"))
            thread.send(number.isMultiple(of: 2) ? .sound(at: nil) : .hush)
        }
        thread.send(.mute(true))
        gate.withLock { $0 = true }
        gate.signal()
        let expected = ToldOutput.State(isPaused: false, volume: 4_000, isMuted: true, title: "4000")
        _ = said.wait(until: nil) { $0 == expected ? true : nil }
        thread.shutDown()
    }
}
