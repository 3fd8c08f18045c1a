// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport

/// How long it takes from the start of a player's process until its first sound leaves the sound server: the pipe of a
/// `module-pipe-sink` stands in for the loudspeaker, and is read as fast as one plays.
final class FirstSound {
    private let folder: TemporaryFolder
    private let server: PulseServer
    private let reader: PipeSinkReader

    private static let turns = 7
    /// Seven of these are about one block of Icecast's at 128 kbit/s.
    static let step = Duration.microseconds(12_500)
    private static let patience = Duration.seconds(15)
    /// Until what a player that has ended left in the server has been heard.
    private static let silence: UInt32 = 300_000

    init() throws {
        folder = try TemporaryFolder("aircheck-first-sound")
        var options = PulseServer.Options()
        options.sinks = []
        options.modules = [PipeSinkReader.module(path: folder.file("pipe"))]
        server = try PulseServer(options)
        reader = try PipeSinkReader(path: folder.file("pipe"))
    }

    /// Milliseconds, medians of seven; the players take turns. Each calls `wait` first, with a delay of its turn.
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
