// SPDX-License-Identifier: MIT

import Instants
import Playback
import RadioCore
import RadioFormats
import Stations
import Testing

@testable import Control
@testable import Daemon
@testable import Engine

/// What the control socket reports of a station.
struct StatusJSONTests {
    private static func station(_ failure: DaemonStatus.LastFailure?) -> JSONValue? {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
        var station = DaemonStatus.Station(id: "fip", programme: ProgrammeSnapshot())
        station.failure = failure
        status.stations = [station]
        return DaemonJSON(zone: FixedZone.utc).status(status)["stations"]?.arrayValue?.first
    }

    @Test("The last error has its age in seconds") func lastError() {
        let failure = Failure(.refused, "the station refused the connection", remedy: "wait")
        #expect(
            Self.station(.init(failure: failure, ago: .milliseconds(90_500)))?["last_error"] == [
                "class": "refused", "message": "the station refused the connection", "remedy": "wait", "ago": 90.5,
            ])
        #expect(Self.station(nil)?["last_error"] == .null)
    }

    /// The status of a station with this snapshot.
    private static func station(_ now: StationSnapshot) -> JSONValue? {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
        var programme = ProgrammeSnapshot()
        programme.station = now
        status.stations = [DaemonStatus.Station(id: "fip", programme: programme)]
        return DaemonJSON(zone: FixedZone.utc).status(status)["stations"]?.arrayValue?.first
    }

    @Test(
        "The state is a word for programs, and state_text is for people",
        arguments: [
            (Activity.delivering, "live", "on air"), (.stopped, "stopped", "stopped"),
            (.connecting, "connecting", "connecting"),
        ])
    func state(activity: Activity, state: String, text: String) {
        let station = Self.station(StationSnapshot(activity: activity, position: Position(), isDelivering: false))
        #expect(station?["state"] == .string(state) && station?["state_text"] == .string(text))
    }

    @Test("The codec has the name that a probe gives it, and an empty title is null") func codecAndTitle() {
        var now = StationSnapshot(
            activity: .delivering, info: StationInfo(kind: .live, name: "FIP", url: ""), position: Position(),
            title: "", isDelivering: true)
        now.info?.contentType = "audio/mpeg"
        #expect(Self.station(now)?["content_type"] == "audio/mpeg" && Self.station(now)?["codec"] == .null)
        #expect(Self.station(now)?["title"] == .null)
        now.format = StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2)
        now.title = "So What"
        #expect(Self.station(now)?["codec"] == "mp3" && Self.station(now)?["title"] == "So What")
    }

    @Test("A32: The entry of a list that plays is named, and without a list only a station that is not the user's")
    func entry() {
        var info = StationInfo(kind: .live, name: "Two", url: "http://b.test/")
        func entry() -> JSONValue? {
            let now = StationSnapshot(activity: .delivering, info: info, position: Position(), isDelivering: true)
            return Self.station(now)?["entry"]
        }
        #expect(entry() == .null)
        info.standsIn = true
        #expect(entry() == ["number": .null, "of": .null, "station": "Two", "url": "http://b.test/"])
        info.standsIn = false
        info.entry = StationInfo.Entry(number: 2, count: 3)
        #expect(entry() == ["number": 2, "of": 3, "station": "Two", "url": "http://b.test/"])
    }

    @Test("A later broadcast of a date has its time") func timeOfBroadcast() throws {
        let (date, time) = (try CalendarDate(parsing: "2026-11-27"), try TimeOfDay(parsing: "20:30"))
        func recording(_ time: TimeOfDay?) -> JSONValue? {
            var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
            var station = DaemonStatus.Station(id: "fip", programme: ProgrammeSnapshot())
            let key = UseKey("fip", .airing(show: "jazz", date: date, time: time))
            station.recordings = [DaemonStatus.Recording(key: key, id: "r1")]
            status.stations = [station]
            let stations = DaemonJSON(zone: FixedZone.utc).status(status)["stations"]?.arrayValue
            return stations?.first?["recordings"]?.arrayValue?.first
        }
        #expect(recording(time)?["time"] == .string("\(time)") && recording(time)?["show"] == "jazz")
        #expect(recording(nil)?["show"] == "jazz" && recording(nil)?["time"]?.stringValue == nil)
    }

    @Test("An unusable configuration lists each of its problems") func problems() {
        let answer = DaemonJSON(zone: FixedZone.utc).unusable(
            UnusableConfiguration(.configuration, ["a:1: x", "a:2: y"], remedy: "correct the file"))
        #expect(answer["problems"] == ["a:1: x", "a:2: y"] && answer["remedy"] == "correct the file")
        #expect(answer["class"] == "configuration")
    }

    @Test("The player has its station, state, volume and the reason for silence") func player() {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
        let json = DaemonJSON(zone: FixedZone.utc)
        #expect(json.status(status)["player"] == .null)
        status.player = DaemonStatus.Player(station: "fip", volume: 0.8)
        let idle = json.status(status)["player"]
        #expect(idle?["station"] == "fip" && idle?["state"] == "stopped" && idle?["volume"] == 80)
        var now = PlayerSnapshot()
        (now.status.state, now.volume, now.device) = (.playing, 0.5, "Kitchen")
        status.player?.snapshot = now
        let plays = json.status(status)["player"]
        #expect(plays?["state"] == "playing" && plays?["state_text"] == "playing" && plays?["volume"] == 50)
        #expect(plays?["device"] == "Kitchen" && plays?["error"] == .null)
        now.status.state = .rebuffering(.outputLost)
        now.status.error = PlaybackError(.output, Failure(.sound, "no sound server answers", remedy: "start it"))
        status.player?.snapshot = now
        let silent = json.status(status)["player"]
        #expect(silent?["state"] == "no-sound" && silent?["error"]?["message"] == "no sound server answers")
    }
}
