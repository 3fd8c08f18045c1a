// SPDX-License-Identifier: MIT

package import RadioFormats

extension Sidecar {
    /// The bytes of the JSON file.
    package var encoded: [UInt8] { json.encoded(.pretty) }

    /// Why bytes cannot be read as a sidecar.
    package enum ParseError: Error, Hashable, Sendable {
        /// The bytes are not JSON. `isOurs`: whether they begin like a sidecar nevertheless.
        case notJSON(JSONError, isOurs: Bool)
        /// JSON of another program.
        case foreign
        /// A version that this program does not know.
        case otherVersion(Int64)
        /// A field that every sidecar has is missing or makes no sense.
        case incomplete
    }

    /// Parses the bytes of a file. Throws a ``ParseError`` if they are not a sidecar.
    package init(reading bytes: [UInt8]) throws(ParseError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: bytes, limit: Self.maximumLength)
        } catch {
            let first = bytes.prefix(32).drop { [0x7B, 0x20, 0x0A].contains($0) }
            throw .notJSON(error, isOurs: first.starts(with: Array("\"\(Self.software)\"".utf8)))
        }
        guard let version = json[Self.software]?.integerValue else { throw .foreign }
        guard version == Self.version else { throw .otherVersion(version) }
        guard let sidecar = Sidecar(json: json) else { throw .incomplete }
        self = sidecar
    }

    /// Parses the bytes of a file; nil if they are not a sidecar.
    package init?(parsing bytes: [UInt8]) {
        guard let sidecar = try? Sidecar(reading: bytes) else { return nil }
        self = sidecar
    }

    package var json: JSONValue {
        var object: JSONObject = [
            Self.software: Self.version, "recording": recording, "number": number, "began": began?.rawValue,
            "continues": continues.ifKnown, "previous": previous, "next": next,
        ]
        object.noteRawBytes(of: [previous, next])
        object.append([
            "station": station, "station_id": stationID.ifKnown, "show": show.ifKnown,
            "protected": isProtected.ifTrue, "format": format, "at": at, "frames": frames,
            "bytes": bytes, "samples": samples, "seconds": format.seconds(of: samples),
            "xxh64": (checksum?.sixteenDigits).ifKnown, "clock_drift_ppm": JSONValue(partsPerMillion: clockDrift),
            "clock_step": clockStep.ifKnown, "gaps": gaps, "splices": splices,
        ])
        stretches.append(to: &object)
        object.append([
            "healed": (healed.isEmpty ? nil : healed).ifKnown, "revision": (revision > 0 ? revision : nil).ifKnown,
            "healing": healing.ifKnown, "titles": titles, "state": state.rawValue,
            "kept": (isKept ? nil : false).ifKnown, "whole_song": hasWholeSong.ifKnown,
            // At the end, where recovery looks.
            Self.unsettled: (healing != nil).ifTrue,
        ])
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard json[Self.software]?.integerValue == Self.version,
            let format = json["format"].flatMap(StreamFormat.init(json:)),
            let frames = json["frames"]?.count, let bytes = json["bytes"]?.count, let samples = json["samples"]?.count,
            let state = json["state"]?.stringValue.flatMap(State.init(rawValue:))
        else { return nil }
        let at = json["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        self.init(format: format, at: at, frames: frames, bytes: bytes, samples: samples, state: state)
        recording = json["recording"]?.stringValue
        number = json["number"]?.count.map(Int.init(clamping:))
        began = json["began"]?.stringValue.flatMap(CutCause.init(rawValue:))
        continues = json["continues"]?.stringValue
        previous = json["previous"]?.stringValue
        next = json["next"]?.stringValue
        station = json["station"]?.stringValue
        stationID = json["station_id"]?.stringValue
        show = json["show"].flatMap(Show.init(json:))
        // Users may write this field by hand: any value but `false` protects the recording.
        isProtected = json["protected"].map { $0 != false } ?? false
        checksum = json["xxh64"]?.stringValue.flatMap { UInt64($0, radix: 16) }
        clockDrift = json["clock_drift_ppm"]?.doubleValue
        clockStep = json["clock_step"].flatMap(ClockStep.init(json:))
        gaps = json["gaps"]?.arrayValue?.compactMap(Gap.init(json:)) ?? []
        splices = json["splices"]?.arrayValue?.compactMap(Splice.init(json:)) ?? []
        stretches = Stretches(json: json)
        healed = json["healed"]?.arrayValue?.compactMap(Healed.init(json:)) ?? []
        revision = json["revision"]?.count ?? 0
        healing = json["healing"].flatMap(Healing.init(json:))
        titles = json["titles"]?.arrayValue?.compactMap(Title.init(json:)) ?? []
        isKept = json["kept"]?.boolValue ?? true
        hasWholeSong = json["whole_song"]?.boolValue
    }

    /// The limit in bytes: enough for a day of ten-second songs with long titles.
    package static let maximumLength = 8 << 20
}

extension Sidecar.Gap: JSONConvertible {
    /// `{at, seconds or null, cause, class or null, remedy or null, tried, position}`, also in the result of a command.
    /// If known, also `overlap_seconds` and `repeats_after_seconds`.
    package var json: JSONValue {
        .object([
            "at": at, "seconds": milliseconds.map(JSONValue.init(milliseconds:)), "cause": cause,
            "class": failureClass, "remedy": remedy, "tried": tried, "position": position,
            "overlap_seconds": overlap.map(JSONValue.init(milliseconds:)).ifKnown,
            "repeats_after_seconds": repeats.map(JSONValue.init(milliseconds:)).ifKnown,
        ])
    }

    init?(json: JSONValue) {
        guard let at = json.time else { return nil }
        self.init(
            at: at, milliseconds: json["seconds"]?.milliseconds, cause: json["cause"]?.stringValue ?? "",
            tried: json["tried"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            position: json["position"].map { $0.count ?? Self.nowhere } ?? 0)
        failureClass = json["class"]?.stringValue
        remedy = json["remedy"]?.stringValue
        overlap = json["overlap_seconds"]?.milliseconds
        repeats = json["repeats_after_seconds"]?.milliseconds
    }

    /// The position of a gap whose position no frame can have: behind every file, so that verification names it.
    private static let nowhere: Int64 = 1 << 48
}

extension Sidecar.Splice: JSONConvertible {
    /// `{at, dropped_frames, by, position}`, also in the result of a command; with `unheard_frames` if some of the
    /// dropped frames were never delivered.
    package var json: JSONValue {
        .object([
            "at": at, "dropped_frames": droppedFrames,
            "unheard_frames": (unheardFrames > 0 ? unheardFrames : nil).ifKnown, "by": by, "position": position,
        ])
    }

    init?(json: JSONValue) {
        guard let at = json.time else { return nil }
        self.init(
            at: at, position: json["position"]?.count ?? 0, droppedFrames: json["dropped_frames"]?.count ?? 0,
            by: json["by"]?.stringValue ?? "")
        unheardFrames = json["unheard_frames"]?.count ?? 0
    }
}

extension Sidecar.Stretch: JSONConvertible {
    /// `{at, seconds, position, frames, by}`, also in the result of a command; without an unknown `by`.
    package var json: JSONValue {
        .object([
            "at": at, "seconds": JSONValue(milliseconds: milliseconds), "position": position, "frames": frames,
            "by": by.ifKnown,
        ])
    }

    init?(json: JSONValue) {
        guard let at = json.time, let milliseconds = json["seconds"]?.milliseconds else { return nil }
        self.init(
            at: at, milliseconds: milliseconds, position: json["position"]?.count ?? 0,
            frames: json["frames"]?.count ?? 0, by: json["by"]?.stringValue)
    }
}

extension Sidecar.ClockStep: JSONConvertible {
    package var json: JSONValue {
        .object(["position": position, "seconds": JSONValue(milliseconds: milliseconds)])
    }

    fileprivate init?(json: JSONValue) {
        guard let position = json["position"]?.count, let milliseconds = json["seconds"]?.milliseconds
        else { return nil }
        self.init(position: position, milliseconds: milliseconds)
    }
}

extension Sidecar.Show: JSONConvertible {
    /// `{id, name, from, until, date, first_from}`, without an unknown date, or a start that is the first one.
    package var json: JSONValue {
        .object([
            "id": id, "name": name, "from": from, "until": until, "date": date.ifKnown, "first_from": firstFrom.ifKnown,
        ])
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue, let from = json["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:)),
            let until = json["until"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
        else { return nil }
        let date = json["date"]?.stringValue.flatMap { try? CalendarDate(parsing: $0) }
        self.init(id: id, name: json["name"]?.stringValue ?? id, from: from, until: until, date: date)
        firstFrom = json["first_from"]?.stringValue.flatMap(CivilTime.init(rfc3339:))
    }
}

extension Sidecar.Title: JSONConvertible {
    /// `{at, position, title, url}`, also in the result of a command; without an unknown address.
    package var json: JSONValue {
        .object(["at": at, "position": position, "title": text, "url": url.ifKnown])
    }

    init?(json: JSONValue) {
        guard let at = json.time, let text = json["title"]?.stringValue else { return nil }
        self.init(at: at, position: json["position"]?.count ?? 0, text: text, url: json["url"]?.stringValue)
    }
}

extension StreamFormat: JSONConvertible {
    /// `{codec, container, mpeg, sample_rate, channels, profile, sbr}`, without a codec's usual container, and without
    /// the header packets, which are in the file itself.
    package var json: JSONValue {
        .object([
            "codec": codec.rawValue,
            "container": (container == codec.usualContainer ? nil : container.rawValue).ifKnown,
            "mpeg": (mpegVersion?.rawValue).ifKnown, "sample_rate": sampleRate, "channels": channels,
            "profile": profile.ifKnown, "sbr": (sbr == .absent ? nil : sbr.rawValue).ifKnown,
        ])
    }

    init?(json: JSONValue) {
        guard let codec = json["codec"]?.stringValue.flatMap(Codec.init(rawValue:)),
            let sampleRate = json["sample_rate"]?.count, sampleRate <= believedSampleRates.upperBound,
            let channels = json["channels"]?.count
        else { return nil }
        self.init(
            codec: codec, in: json["container"]?.stringValue.flatMap(Container.init(rawValue:)),
            mpegVersion: json["mpeg"]?.stringValue.flatMap(MPEGVersion.init(rawValue:)),
            sampleRate: Int(sampleRate), channels: Int(channels), profile: json["profile"]?.count.map { Int($0) })
        sbr = json["sbr"]?.stringValue.flatMap(SBR.init(rawValue:)) ?? .absent
    }

    /// The playing time of `samples` in seconds, truncated to milliseconds.
    package func seconds(of samples: Int64) -> Double {
        guard sampleRate > 0 else { return 0 }
        let (whole, rest) = samples.quotientAndRemainder(dividingBy: Int64(sampleRate))
        return Double(whole) + Double(rest * 1_000 / Int64(sampleRate)) / 1_000
    }
}

extension JSONValue {
    /// Rounds to a tenth, as the measurement is no more precise. Also in the result of a command.
    package init(partsPerMillion: Double?) {
        self = partsPerMillion.map { .number(($0 * 10).rounded() / 10) } ?? .null
    }

    package init(milliseconds: Int64) {
        self = .number(Double(milliseconds) / 1_000)
    }

    fileprivate var time: CivilTime? { self["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:)) }

    /// A number of seconds in milliseconds; nil if it is not a number, or too large to make sense.
    package var milliseconds: Int64? {
        guard let seconds = doubleValue, abs(seconds) < 1e12 else { return nil }
        return Int64((seconds * 1_000).rounded())
    }

    /// A count of frames, bytes or samples in a file, or the number of the file in its recording. Nil if it is larger
    /// than any disk can hold, so that sums over all files of a recording do not overflow.
    package var count: Int64? {
        guard let value = integerValue, (0..<1 << 48).contains(value) else { return nil }
        return value
    }
}
