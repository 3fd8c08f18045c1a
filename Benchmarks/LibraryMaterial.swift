// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The contents of a large library of recordings.
enum LibraryMaterial {
    private static let at = CivilTime(WallInstant(nanoseconds: 1_795_249_500_000_000_000), in: FixedZone.utc)

    /// The sidecar of an hour of music with its titles. Recordings have 24 files each.
    static func sidecar(_ number: Int) -> Sidecar {
        var sidecar = Sidecar(
            format: StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2), at: at,
            frames: 137_812, bytes: 57_600_000, samples: 158_759_424, state: .complete)
        (sidecar.recording, sidecar.number, sidecar.station) = ("r\(number / 24)", number % 24 + 1, "FIP")
        sidecar.titles = (0..<15).map { Sidecar.Title(at: at, position: $0 * 9_000, text: "Somebody - Song \($0)") }
        return sidecar
    }

    static let gap = Sidecar.Gap(
        at: at, milliseconds: 1_500, cause: "the server closed the connection", tried: ["no route"], position: 4_711)
}
