// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import Storage
import Testing

@testable import Daemon

/// When a station counts as down, and when as back.
struct StationHistoryTests {
    private static let failed = StationNotice.failed(
        Failure(.serverBusy, "nobody answers", remedy: "none"), retryIn: .seconds(1))
    private static let gap = StationNotice.gap(
        Gap(at: WallInstant(nanoseconds: 0), length: .seconds(30), cause: "nobody answered"))

    /// Passes notices to station histories. Times are in seconds since an arbitrary moment.
    private final class Heard {
        private var histories = StationHistories()
        private static let start = MonotonicInstant(nanoseconds: 5_000_000_000)

        /// Adds a notice to the history. Returns for how many seconds the station was down if the notice shows that it
        /// is back.
        func note(_ notice: StationNotice, of station: String = "a", at seconds: Double) -> Double? {
            histories.note(notice, of: station, Self.start + .seconds(seconds))?.inSeconds
        }

        /// The stations that are reported as down at this moment, each with the reason.
        func down(at seconds: Double) -> [String: String] {
            let down = histories.takeDown(Self.start + .seconds(seconds))
            return Dictionary(down.map { ($0.station, $0.failure?.message ?? "") }) { first, _ in first }
        }

        func isDown(at seconds: Double) -> Bool { down(at: seconds)["a"] != nil }
        func endOutage(of station: String = "a", at seconds: Double) -> Double? {
            histories.endOutage(of: station, Self.start + .seconds(seconds))?.inSeconds
        }
        var history: StationHistory { histories["a"] }
        func lastFailure(at seconds: Double) -> DaemonStatus.LastFailure? {
            history.lastFailure(at: Self.start + .seconds(seconds))
        }
    }

    /// A station that has had no audio since second 0.
    private var silent: Heard {
        let heard = Heard()
        #expect(heard.note(Self.failed, at: 0) == nil)
        return heard
    }

    @Test("A station is reported as down after a minute without audio, and only once") func down() {
        let heard = silent
        #expect(!heard.isDown(at: 59) && heard.isDown(at: 61))
        #expect(!heard.isDown(at: 62) && !heard.isDown(at: 9_000))
    }

    @Test("Failures and attempts during an outage do not delay the report") func attempts() {
        let heard = silent
        for second in 1...59 {
            let notice = second % 2 == 0 ? Self.failed : .connecting(url: "http://a/", attempt: second)
            #expect(heard.note(notice, at: Double(second)) == nil)
        }
        #expect(!heard.isDown(at: 59) && heard.isDown(at: 61))
    }

    @Test(
        "A station that returns is reported as back once, with the length of the outage",
        arguments: [StationNotice.live(again: false), gap])
    func back(_ notice: StationNotice) {
        let heard = silent
        #expect(heard.isDown(at: 75) && heard.note(notice, at: 200) == 200)
        #expect(heard.note(notice, at: 201) == nil && !heard.isDown(at: 300))
    }

    @Test("A station that returns before it was reported as down is not reported as back") func briefOutage() {
        let heard = silent
        #expect(heard.note(Self.gap, at: 59) == nil && !heard.isDown(at: 61))
        #expect(heard.history.gaps == 1 && heard.history.missing == .seconds(30))
    }

    @Test("Each outage counts from its own beginning") func outages() {
        let heard = silent
        #expect(heard.isDown(at: 61) && heard.note(Self.gap, at: 70) == 70)
        #expect(heard.note(Self.failed, at: 100) == nil)
        #expect(!heard.isDown(at: 159) && heard.isDown(at: 161) && heard.note(Self.gap, at: 180) == 80)
    }

    @Test("A station that is no longer needed is neither down nor back") func unneeded() {
        let (unsaid, said) = (silent, silent)
        #expect(unsaid.endOutage(at: 50) == nil && !unsaid.isDown(at: 61) && said.isDown(at: 61))
        #expect(said.endOutage(at: 70) == 70)
        #expect(said.note(.live(again: false), at: 90) == nil && !said.isDown(at: 500))
    }

    @Test("The newest failure of a station is remembered with its age for a day, even after the station is back")
    func newestFailure() throws {
        let heard = silent
        func last(at seconds: Double) -> DaemonStatus.LastFailure? { heard.lastFailure(at: seconds) }
        #expect(heard.note(.live(again: false), at: 10) == nil)
        #expect(last(at: 90)?.failure.message == "nobody answers" && last(at: 90)?.ago == .seconds(90))
        let newest = Failure(.unreachable, "the name is unknown", remedy: "none")
        #expect(heard.note(.failed(newest, retryIn: .seconds(1)), at: 100) == nil)
        #expect(heard.endOutage(at: 101) == nil)
        #expect(last(at: 102)?.failure == newest && last(at: 102)?.ago == .seconds(2))
        #expect(last(at: 86_499)?.failure == newest && last(at: 86_500) == nil)
    }

    @Test("Each station is reported on its own, with its newest failure") func severalStations() {
        let heard = silent
        for station in ["b", "c"] { #expect(heard.note(Self.failed, of: station, at: 0) == nil) }
        let newest = Failure(.unreachable, "the name is unknown", remedy: "none")
        #expect(heard.note(.failed(newest, retryIn: .seconds(1)), of: "b", at: 30) == nil)
        #expect(heard.endOutage(of: "c", at: 40) == nil && heard.down(at: 59).isEmpty)
        #expect(heard.down(at: 61) == ["a": "nobody answers", "b": "the name is unknown"])
        #expect(heard.down(at: 62).isEmpty && heard.note(.live(again: false), of: "b", at: 90) == 90)
        #expect(heard.note(.live(again: false), of: "c", at: 90) == nil)
    }

    @Test("Audio that the disk lost counts as missing, and the disk's last error is remembered") func diskFailure() {
        var history = StationHistory()
        let start = MonotonicInstant(nanoseconds: 5_000_000_000)
        let error = StorageError(code: .noSpace, action: .write, path: "a.mp3.part")
        let at = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        let lost = Sidecar.Gap(at: at, milliseconds: 30_000, cause: "no space", tried: [], position: 5)
        history.note(.failing(error), start)
        #expect(history.gaps == 0 && history.lastFailure(at: start)?.failure == error.failure)
        for notice in [RecorderNotice.lost(lost), .resumed] { history.note(notice, start + .seconds(30)) }
        #expect(history.gaps == 1 && history.missing == .seconds(30))
        #expect(history.lastFailure(at: start + .seconds(60))?.ago == .seconds(60))
        history.note(.cut(path: "a.mp3", StorageError(code: .missing, action: .write, path: "a")), start + .seconds(90))
        #expect(history.lastFailure(at: start + .seconds(90))?.ago == .zero)
    }

    @Test("What several recordings of a station lack counts once") func sharedGaps() {
        var history = StationHistory()
        let now = MonotonicInstant(nanoseconds: 5_000_000_000)
        func lack(_ from: Double, _ length: Double?) {
            let at = CivilTime(WallInstant(nanoseconds: 0) + .seconds(from), utcOffset: 0)
            let milliseconds = length.map { Int64($0 * 1_000) }
            history.note(
                .missingBefore(Sidecar.Gap(at: at, milliseconds: milliseconds, cause: "x", tried: [], position: 0)), now
            )
        }
        for _ in 0..<3 { lack(100, 30) }
        #expect(history.gaps == 1 && history.missing == .seconds(30))
        // One recording ended earlier, another one began later.
        lack(95, 30)
        lack(110, 25)
        lack(120, nil)
        #expect(history.gaps == 3 && history.missing == .seconds(40))
        lack(300, 10)
        lack(400, nil)
        lack(400, nil)
        #expect(history.gaps == 5 && history.missing == .seconds(50))
    }

    @Test("A gap before a recording is counted, but is not why the station's audio is missing later")
    func gapBefore() {
        var history = StationHistory()
        let start = MonotonicInstant(nanoseconds: 5_000_000_000)
        let at = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        func gap(_ cause: String) -> Sidecar.Gap {
            Sidecar.Gap(at: at, milliseconds: 30_000, cause: cause, tried: [], position: 0)
        }
        history.note(.missingBefore(gap("the recording began anew")), start)
        #expect(history.gaps == 1 && history.missing == .seconds(30) && history.cause(since: start) == nil)
        history.note(.lost(gap(Downtimes.unknownCause)), start)
        #expect(history.gaps == 1 && history.cause(since: start) == Downtimes.unknownCause)
    }
}
