// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The manual recordings as stored for the next run of the daemon.
///
/// The monotonic clock of one run means nothing to the next run, so instants are stored as wall times, together with
/// the time of writing. The next run assumes that the time that has passed since then is the difference between the
/// wall times. It assumes that no time has passed if the clock was not set at one of these moments, or was set back
/// between them. The recordings then continue from where they were when the file was written. So no recording lasts
/// longer than requested, except after a crash: then it may be longer by up to a minute, because the file may be that
/// old.
extension ManualRecordings {
    /// Continues the recordings of an earlier run. Invalid entries are left out.
    init(json: JSONValue, _ clock: ClockReading) {
        let written = json["at"]?.timeValue?.instant
        let today = written.map { ClockTrust.isSet($0) ? max(clock.wall, $0) : $0 } ?? clock.wall
        var numbers: Set<Int> = []
        func read(_ list: String, _ recording: (JSONValue) -> ManualRecording?) -> [ManualRecording] {
            (json[list]?.arrayValue ?? []).prefix(Self.most).compactMap(recording).filter {
                numbers.insert($0.number).inserted
            }
        }
        let recordings = read("recordings") { ManualRecording(json: $0, today: today, clock.now) }
        self.init(recordings, over: read("over") { ManualRecording(jsonOfOver: $0, today: today, clock.now) })
    }

    func json(_ clock: ClockReading) -> JSONValue {
        .object([
            "at": clock.wall, "recordings": all.map { $0.json(clock) }, "over": over.map { $0.json(clock) },
        ])
    }
}

extension ManualRecording {
    /// `today`: what the clock shows at `now`, or what it would show if it were set.
    fileprivate init?(json: JSONValue, today: WallInstant, _ now: MonotonicInstant) {
        guard let times = json.span else { return nil }
        self.init(json, times, from: now - min(max(.zero, today - times.lowerBound), times.length))
    }

    /// A recording that was over when its entry was written.
    fileprivate init?(jsonOfOver json: JSONValue, today: WallInstant, _ now: MonotonicInstant) {
        guard let times = json.span, abs((today - times.lowerBound).inSeconds) < Self.longestAgo.inSeconds else {
            return nil
        }
        self.init(json, times, from: now - (today - times.lowerBound))
        isUnknown = json["unknown"]?.boolValue == true
    }

    private init?(_ json: JSONValue, _ times: Range<WallInstant>, from start: MonotonicInstant) {
        guard let number = json["number"]?.integerValue.flatMap({ Int(exactly: $0) }),
            (1...Self.mostNumber).contains(number), let station = json["station"]?.stringValue,
            times.length <= Self.longest
        else { return nil }
        let span = start..<start + times.length
        let earlier = ClockReading(wall: times.lowerBound, now: span.lowerBound)
        let parts = (json["parts"]?.arrayValue ?? []).compactMap { part -> ManualPart? in
            guard let id = part["id"]?.stringValue, let began = part["from"]?.timeValue else { return nil }
            let start = earlier.instant(of: began.instant)
            return ManualPart(id: id, start: min(max(start, span.lowerBound), span.upperBound))
        }
        self.init(number: number, station: station, span: span, parts: parts)
    }

    fileprivate func json(_ clock: ClockReading) -> JSONObject {
        let span = clock.wall(at: span)
        return [
            "number": number, "station": station, "from": span.lowerBound, "until": span.upperBound,
            "parts": parts.map { ["id": $0.id, "from": clock.wall(at: $0.start)] as JSONObject },
            "unknown": isUnknown.ifTrue,
        ]
    }

    /// The highest number that is accepted from the file.
    private static let mostNumber = 1_000_000_000
    private static let longestAgo = Duration.seconds(366 * 86_400)
}
