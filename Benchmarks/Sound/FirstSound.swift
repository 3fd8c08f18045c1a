// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// Measures the time from the start of a player's process until its first sound leaves the sound server. The pipe of a
/// `module-pipe-sink` stands in for the loudspeaker and is read in real time.
final class FirstSound {
    private let folder: TemporaryFolder
    private let server: PulseServer
    private let reader: PipeSinkReader

    private static let turns = 7
    /// The difference between the delays of two consecutive turns. Seven steps are about the duration of one Icecast
    /// block at 128 kbit/s.
    static let step = Duration.microseconds(12_500)
    private static let patience = Duration.seconds(15)
    /// The wait, in microseconds, after a player has ended. By then the server has played the player's remaining audio.
    private static let silence: UInt32 = 300_000

    init() throws {
        folder = try TemporaryFolder("aircheck-first-sound")
        var options = PulseServer.Options()
        options.sinks = []
        options.modules = [PipeSinkReader.module(path: folder.file("pipe"))]
        server = try PulseServer(options)
        reader = try PipeSinkReader(path: folder.file("pipe"))
    }

    /// The time to the first sound of each program, in milliseconds: the median of seven starts, the programs taking
    /// turns. Before each start, `wait` is called with a delay that depends on the turn.
    func measure(
        _ programs: [SoundProgram], _ url: String, waiting wait: (Duration) throws -> Void = { _ in }
    ) throws -> [SoundProgram: Double] {
        var times: [SoundProgram: [Double]] = [:]
        for turn in 0..<Self.turns {
            for program in programs {
                usleep(Self.silence)
                try wait(Self.step * turn)
                times[program, default: []].append(try once(program, url))
            }
        }
        for program in programs {
            let all = times[program, default: []].map { decimal($0.rounded()) }.joined(separator: " ")
            note("\(program.rawValue): first sound after \(all) ms")
        }
        return times.mapValues { median($0) }
    }

    private func once(_ program: SoundProgram, _ url: String) throws -> Double {
        reader.forget()
        let start = MonotonicInstant.now
        let player = try program.start(url, on: server)
        guard let heard = reader.firstSound(within: Self.patience) else {
            throw SetupError("\(program.rawValue) is not heard:\n\(player.errorSoFar)")
        }
        player.terminate()
        _ = try player.wait(within: .seconds(10))
        _ = waitUntil(.seconds(5)) { (try? server.streamNumber()) == .some(nil) }
        return (heard - start) / .milliseconds(1)
    }
}
