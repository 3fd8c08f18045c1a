// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The form in which the next run of the daemon finds the manual recordings.
///
/// The monotonic clock of one run says nothing to the next, so instants are written as wall times, together with the
/// time of writing. From then to the next run, as much time passes as the wall clock says. No time passes if the clock
/// was not set at one of these moments, or was set back between them: then the recordings go on where they were when
/// the file was written. So no recording lasts longer than requested, except after a crash, which may have come up to a
/// minute after that.
extension ManualRecordings {
    /// Continues the recordings of an earlier run. Invalid ones are left out.
    init(json: JSONValue, _ clock: ClockReading) {
        let written = json["at"]?.time
        var recordings: [ManualRecording] = []
        for value in (json["recordings"]?.arrayValue ?? []).prefix(Self.most) {
            guard let recording = ManualRecording(json: value, written: written, clock),
                !recordings.contains(where: { $0.number == recording.number })
            else { continue }
            recordings.append(recording)
        }
        self.init(recordings)
    }

    func json(_ clock: ClockReading) -> JSONValue {
        ["at": .time(clock.wall), "recordings": .array(all.map { $0.json(clock) })]
    }

    /// The most recordings that are read from the file.
    private static let most = 1_000
}

extension ManualRecording {
    fileprivate init?(json: JSONValue, written: WallInstant?, _ clock: ClockReading) {
        guard let number = json["number"]?.integerValue.flatMap({ Int(exactly: $0) }),
            (1...Self.mostNumber).contains(number), let station = json["station"]?.stringValue,
            let times = json.times, times.upperBound - times.lowerBound <= Self.longest
        else { return nil }
        let length = times.upperBound - times.lowerBound
        let today = written.map { ClockTrust.isSet($0) ? max(clock.wall, $0) : $0 } ?? clock.wall
        let start = clock.now - min(max(.zero, today - times.lowerBound), length)
        let span = start..<start + length
        let earlier = ClockReading(wall: times.lowerBound, now: span.lowerBound)
        let recorded = (json["recorded"]?.arrayValue ?? []).compactMap { value in
            value.times.map { times in
                let stretch = earlier.instant(of: times.lowerBound)..<earlier.instant(of: times.upperBound)
                return Stretch(span: stretch.clamped(to: span), source: AiringResult.Source(json: value))
            }
        }
        self.init(number: number, station: station, span: span, recorded: recorded)
    }

    fileprivate func json(_ clock: ClockReading) -> JSONValue {
        var object = JSONObject()
        object.append("number", .integer(Int64(number)))
        object.append("station", .string(station))
        object.append(times: clock.wall(at: span))
        let stretches = recorded(upTo: clock.now).map { stretch -> JSONValue in
            var object = JSONObject()
            object.append(times: clock.wall(at: stretch.span))
            object.append("recording", .string(stretch.source.recording))
            if !stretch.source.files.isEmpty {
                object.append("files", .array(stretch.source.files.map(JSONValue.string)))
            }
            return .object(object)
        }
        object.append("recorded", .array(stretches))
        return .object(object)
    }

    /// The highest number that is read from the file.
    private static let mostNumber = 1_000_000_000
}

extension AiringResult.Source {
    fileprivate init(json: JSONValue) {
        let files = (json["files"]?.arrayValue ?? []).prefix(HookEvent.mostListed).compactMap(\.stringValue)
        self.init(recording: json["recording"]?.stringValue ?? "", files: files)
    }
}

extension JSONValue {
    fileprivate static func time(_ instant: WallInstant) -> JSONValue {
        .string(CivilTime(instant, utcOffset: 0).rfc3339)
    }

    fileprivate var time: WallInstant? { stringValue.flatMap(CivilTime.init(rfc3339:))?.instant }

    /// A span of time; nil for anything else, or if it has no length.
    fileprivate var times: Range<WallInstant>? {
        guard let from = self["from"]?.time, let until = self["until"]?.time, from < until else { return nil }
        return from..<until
    }
}

extension JSONObject {
    fileprivate mutating func append(times: Range<WallInstant>) {
        append("from", .time(times.lowerBound))
        append("until", .time(times.upperBound))
    }
}
