// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import Testing

/// Times of day within a recording, read by the clock that named its files.
struct RecordedZoneTests {
    private static func recording(_ files: [String]) -> LibraryRecording {
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
        let segments = files.compactMap(CivilTime.init(rfc3339:)).map { at in
            let sidecar = Sidecar(.complete, at: at, frames: 100, bytes: 38_400, format: format)
            return LibrarySegment(
                folders: [], base: at.rfc3339, audio: .init(fileExtension: "mp3", bytes: 38_400, isPart: false),
                description: .sidecar(sidecar))
        }
        return LibraryRecording(id: "r", segments: segments)
    }

    @Test(
        "A time of day is read by the clock that named the files, even after a clock change",
        arguments: [
            ("01:30", "2026-10-25T01:30:00+02:00"), ("02:30", "2026-10-25T02:30:00+02:00"),
            ("03:10", "2026-10-25T03:10:00+01:00"),
        ])
    func clockOfFiles(time: String, instant: String) throws {
        let files = ["2026-10-25T01:00:00+02:00", "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]
        let zone = try #require(RecordedZone(of: Self.recording(files.reversed()).segments))
        let began = WallInstant(try #require(files.first))
        let found = try TimeOfDay(parsing: time).nearest(from: began, to: began + .seconds(4 * 3_600), in: zone)
        #expect(found == WallInstant(instant))
    }

    @Test("A recording without sidecars has no clock") func noSidecars() {
        #expect(RecordedZone(of: Self.recording([]).segments) == nil)
    }
}
