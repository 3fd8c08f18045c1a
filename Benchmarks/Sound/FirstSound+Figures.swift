// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

extension FirstSound {
    /// From an Icecast, and from our own relay of it.
    static func figures() throws -> [Figure] {
        note("first sound: MP3 from Icecast, then from our relay")
        let stage = try SoundStage(.mp3(128), seconds: 300)
        let firstSound = try FirstSound()
        let bytes = median(try (0..<7).map { _ in try stage.firstByte() })
        let direct = try firstSound.measure(SoundProgram.allCases, stage.url)
        let relay = try OwnRelay(of: stage.url)
        let relayed = try firstSound.measure(SoundProgram.allCases, relay.url)
        return [
            figure("first sound, Icecast, ms", direct, .atMost(200)),
            Figure(
                name: "first sound: Icecast's own first byte, ms", ours: "", peer: "\(decimal(bytes)) ms", value: bytes,
                goal: .none),
            figure("first sound, our relay, ms", relayed, .atMost(80)),
        ]
    }

    /// Of a codec that another process decodes, beside mpv alone: mpg123 does not play it.
    static func figures(_ encoding: ReferenceProgramme.Encoding, _ name: String) throws -> [Figure] {
        note("first sound: \(name) from Icecast")
        let stage = try SoundStage(encoding, seconds: 120)
        return [
            figure("first sound, \(name), Icecast, ms", try FirstSound().measure([.aircheck, .mpv], stage.url), .none)
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
