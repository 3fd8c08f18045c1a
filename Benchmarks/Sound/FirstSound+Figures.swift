// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

extension FirstSound {
    /// The time to the first sound from an Icecast, and from our own relay of it.
    ///
    /// At 128 kbit/s, Icecast alone takes longer than the goal to send its first audio
    /// (``SoundStage/waitForBlock(and:)``). So beside each Icecast figure there is a second one: the time beyond
    /// Icecast's first audio. On a busy machine, the second figure is off by up to half a block.
    static func figures() throws -> [Figure] {
        note("first sound: MP3 from Icecast, then from our relay")
        let firstSound = try FirstSound()
        var figures = try firstSound.figures(.mp3(320), "Icecast, 320 kbit/s", whole: .atMost(200), rest: .none)
        figures += try firstSound.figures(.mp3(128), "Icecast, 128 kbit/s", whole: .atMost(200), rest: .none)
        let stage = try SoundStage(.mp3(128), seconds: 120)
        let relay = try OwnRelay(of: stage.url)
        let times = try firstSound.measure(SoundProgram.allCases, relay.url)
        return figures + [figure("first sound, our relay, ms", times, .atMost(80))]
    }

    /// The time to the first sound of a codec that another process decodes, compared with mpv only: mpg123 does not
    /// play it.
    static func figures(_ encoding: ReferenceProgramme.Encoding, _ name: String) throws -> [Figure] {
        note("first sound: \(name) from Icecast")
        return try FirstSound().figures(encoding, "Icecast, \(name)", of: [.aircheck, .mpv], whole: .none, rest: .none)
    }

    private func figures(
        _ encoding: ReferenceProgramme.Encoding, _ name: String, of programs: [SoundProgram] = SoundProgram.allCases,
        whole: Figure.Goal, rest: Figure.Goal
    ) throws -> [Figure] {
        let stage = try SoundStage(encoding, seconds: 180)
        let times = try measure(programs, stage.url, waiting: stage.waitForBlock)
        let own = median(
            try (0..<7).map { turn in
                try stage.waitForBlock(and: Self.step * turn)
                return try stage.firstAudio()
            })
        return [
            Self.figure("first sound, \(name), ms", times, whole),
            Self.figure(
                "first sound beyond its first audio at \(decimal(own.rounded())) ms", times.mapValues { $0 - own }, rest
            ),
        ]
    }

    private static func figure(_ name: String, _ times: [SoundProgram: Double], _ goal: Figure.Goal) -> Figure {
        let peers = [SoundProgram.mpg123, .mpv].compactMap { program in
            times[program].map { "\(program.rawValue) \(decimal($0.rounded())) ms" }
        }
        let ours = times[.aircheck] ?? .nan
        return Figure(
            name: name, ours: "\(decimal(ours.rounded())) ms", peer: peers.joined(separator: ", "), value: ours,
            goal: goal)
    }
}
