// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Recorder
import Testing

@testable import Catalog
@testable import Control
@testable import Daemon
@testable import Engine

/// What the control socket reports of recordings.
struct CatalogJSONTests {
    private static let start = WallInstant(nanoseconds: 1_795_636_800_000_000_000)

    private static func time(_ seconds: Double) -> CivilTime { CivilTime(start + .seconds(seconds), utcOffset: 0) }

    /// A recording of a show that lasts one hour. The recording begins `late` seconds after the show, has `audio`
    /// seconds of audio, and lacks `missing` seconds.
    private static func recording(
        late: Double = 0, audio: Double, missing: Double = 0, state: Sidecar.State = .complete, isOfShow: Bool = true
    ) -> CatalogRecording {
        CatalogRecording(
            id: "r1", stationID: "fip", station: "FIP",
            show: isOfShow ? Sidecar.Show(id: "jazz", name: "Jazz", from: time(0), until: time(3_600)) : nil,
            began: time(late), ended: time(late + audio + missing), state: state, isProtected: false, segments: 6,
            bytes: 1,
            frames: 1,
            milliseconds: Int64(audio * 1_000), gaps: missing > 0 ? 1 : 0, missingMilliseconds: Int64(missing * 1_000))
    }

    private static func early(_ recording: CatalogRecording, running: [String: RecordingSnapshot] = [:]) -> Double? {
        CatalogJSON.recording(recording, running: running)["early_seconds"]?.doubleValue
    }

    @Test("A recording that ends before its show has the time by which it is early") func earlyEnd() {
        #expect(Self.early(Self.recording(audio: 2_880)) == 720)
        #expect(Self.early(Self.recording(audio: 2_880, state: .interrupted)) == 720)
        #expect(Self.early(Self.recording(audio: 3_599.5)) == nil)
        #expect(Self.early(Self.recording(audio: 3_605)) == nil)
    }

    @Test("A recording that another one continues does not end early") func continuedEnd() {
        var recording = Self.recording(audio: 2_880)
        recording.isContinued = true
        #expect(Self.early(recording) == nil)
    }

    @Test("Audio missing up to the end of the show counts as a gap and not as an early end") func gapAtEnd() {
        #expect(Self.early(Self.recording(audio: 2_880, missing: 720)) == nil)
        #expect(Self.early(Self.recording(audio: 2_880, missing: 20)) == 700)
    }

    @Test("A recording that is running or of no show has no early end") func noEarlyEnd() {
        #expect(Self.early(Self.recording(audio: 2_880), running: Self.underWay) == nil)
        #expect(Self.early(Self.recording(audio: 2_880, state: .growing)) == nil)
        #expect(Self.early(Self.recording(audio: 2_880, isOfShow: false)) == nil)
    }

    @Test("The length of a recording is its air time, gaps included") func length() {
        let done = CatalogJSON.recording(Self.recording(audio: 2_880, missing: 20), running: [:])
        #expect(done["seconds"]?.doubleValue == 2_900 && done["ended"]?.stringValue == Self.time(2_900).rfc3339)
    }

    private static func file(
        _ name: String, _ number: Int, _ state: Sidecar.State, missing: Int64 = 0
    ) -> CatalogSegment {
        CatalogSegment(
            catalogPath: "fip/\(name)", fileExtension: "mp3", number: number, state: state, bytes: 100, frames: 1,
            milliseconds: 1_000, missingMilliseconds: missing)
    }

    private static func recorded(
        _ number: Int, frames: Int64, seconds: Double, missing: Duration = .zero
    ) -> RecordedSegment {
        RecordedSegment(
            path: "/radio/fip/b.mp3", at: time(0), frames: frames, bytes: 100 * frames, seconds: seconds,
            missing: missing, isComplete: false, number: number)
    }

    @Test("D41: A recording under way has the figures of the files that are left, and of the growing ones so far")
    func underWayLength() {
        // Of three files of 20 s, which the catalog knows, the last is ending and was noted when it had one second and
        // a gap of two. A fourth has just begun.
        var recording = Self.recording(audio: 41, missing: 2, state: .growing)
        (recording.bytes, recording.frames) = (10_100, 101)
        recording.growing = [Self.file("c", 3, .growing, missing: 2_000)]
        // The bytes of the recorder include files that retention has deleted.
        var snapshot = RecordingSnapshot(elapsed: .seconds(900), bytes: 6_650_000)
        snapshot.files = [
            Self.recorded(3, frames: 50, seconds: 20, missing: .seconds(3)), Self.recorded(4, frames: 2, seconds: 0.1),
        ]
        let json = CatalogJSON.recording(recording, running: ["r1": snapshot])
        #expect(json["seconds"]?.doubleValue == 63 && json["bytes"]?.integerValue == 15_000)
        #expect(json["frames"]?.integerValue == 150 && json["ended"] == .null && json["state"] == "growing")
        // The file is complete before the catalog is asked.
        recording.growing = []
        #expect(CatalogJSON.recording(recording, running: ["r1": snapshot])["bytes"]?.integerValue == 10_100)
    }

    @Test("The growing file of a recording has the figures that the recorder has, also if it was renamed")
    func growingFile() {
        let detail = CatalogDetail(
            recording: Self.recording(audio: 0, state: .growing),
            segments: [Self.file("a", 1, .complete), Self.file("renamed", 2, .growing)], titles: [], gaps: [],
            splices: [])
        var snapshot = RecordingSnapshot(elapsed: .zero, bytes: 0)
        snapshot.files = [Self.recorded(2, frames: 70, seconds: 1.75)]
        let json = CatalogJSON.detail(detail, in: "/radio", running: ["r1": snapshot])
        let files = json["files"]?.arrayValue ?? []
        #expect(files.map { $0["frames"] } == [1, 70] && files.map { $0["bytes"] } == [100, 7_000])
        #expect(files.map { $0["seconds"]?.doubleValue } == [1, 1.75])
    }

    @Test("A list of too many titles is cut off and says so") func titleLimit() {
        let titles = (0..<3).map { CatalogTitle(recording: "r\($0)", at: Self.time(0), text: "\($0)") }
        let cut = CatalogJSON.titles(titles, atMost: 2)
        #expect(cut["titles"]?.arrayValue?.map { $0["text"] } == ["0", "1"] && cut["more"] == true)
        let all = CatalogJSON.titles(titles, atMost: 3)
        #expect(all["titles"]?.arrayValue?.count == 3 && all["more"] == false)
    }

    private static let underWay = ["r1": RecordingSnapshot(elapsed: .zero, bytes: 0)]

    private static func late(_ recording: CatalogRecording, running: [String: RecordingSnapshot] = [:]) -> Double? {
        CatalogJSON.recording(recording, running: running)["late_seconds"]?.doubleValue
    }

    @Test("A recording that begins after its show has the time by which it is late, now and later") func lateBeginning()
    {
        let late = Self.recording(late: 12.5, audio: 3_587.5)
        #expect(Self.late(late) == 12.5 && Self.late(late, running: Self.underWay) == 12.5)
        #expect(Self.late(Self.recording(late: 12.5, audio: 60, state: .growing), running: Self.underWay) == 12.5)
        #expect(Self.late(Self.recording(late: 0.9, audio: 3_599)) == nil)
        #expect(Self.late(Self.recording(late: -20, audio: 3_620)) == nil)
    }

    @Test("A recording that continues another one, or is of no show, does not begin late") func noLateBeginning() {
        var continuing = Self.recording(late: 1_800, audio: 1_800)
        continuing.earlier = CatalogRecording.Earlier(id: "r0", ended: Self.time(1_795))
        #expect(Self.late(continuing) == nil)
        #expect(Self.late(Self.recording(late: 1_800, audio: 1_800, isOfShow: false)) == nil)
    }

    @Test("The answer says whether the rules about age have to wait") func ageWaits() {
        var outcome = RetentionOutcome(free: 5, floor: 3)
        #expect(CatalogJSON.retention(outcome)["age_has_to_wait"]?.boolValue == false)
        outcome.ageHasToWait = true
        #expect(CatalogJSON.retention(outcome)["age_has_to_wait"]?.boolValue == true)
    }
}
