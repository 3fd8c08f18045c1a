// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import Stations

/// Messages for people: fixed sentences with facts inserted.
package enum Wording {
    /// A log line for a notice; `now` is the time at which it is printed, and `kind` what the notice is about.
    package static func line(
        _ notice: StationNotice, of kind: SourceKind = .live, now: WallInstant, setting name: SettingName = { _ in nil }
    ) -> String? {
        switch notice {
        case .connecting(let url, let attempt):
            "connecting to \(url)" + (attempt == 1 ? "" : ", attempt \(attempt)")
        case .answered(let answer): line(answer)
        case .connected(let info):
            "connected to \(info.name)" + details(info) + entry(info)
        case .changed(let old, let info):
            "\(entryName(info)) follows, another station \(info.entry == nil ? "" : "of the list ")"
                + "than \(entryName(old))" + details(info) + entry(info)
        case .renamed(let info, let old):
            "\(entryName(info)) counts as the same station as \(old), although its server sends another name"
        case .chose(_, nil): nil
        case .chose(let choice, let lost?):
            """
            the list has the entry \(entryName(lost)) no longer, or only after another one, so the first entry that \
            plays is the station: \(entryName(choice))
            """
        case .returning(let url):
            "trying a better entry of the list again: \(url)"
        case .live(let again):
            again ? (kind == .live ? "the station is back" : "the download continues") : nil
        case .followedPlaylist(let url, let entries, let leftOut, let ignored):
            "\(url) is a playlist with \(entries) \(entries == 1 ? "address" : "addresses")"
                + (leftOut > 0 ? ", and \(leftOut) more that are not used" : "") + options(ignored)
        case .failed(let failure, let retryIn):
            trouble(failure.naming(name)) + retry(retryIn)
        case .hedging(let url, let hasStalled):
            (hasStalled ? "the station stopped sending audio" : "no audio yet")
                + ", so a second connection is opened: \(url)"
        case .hedgeFailed(let failure):
            "the second connection failed, the first stays open: " + trouble(failure.naming(name))
        case .spliced(let splice):
            "joined again after \(Measure.length(max(.zero, now - splice.at))), "
                + (splice.method == .match ? "nothing lost" : "in the middle of silence")
                + leftOut(splice.unheardFrames)
        case .gap(let gap): line(gap)
        case .stretch(let stretch):
            switch stretch.kind {
            case .foreign:
                "the last \(Measure.length(stretch.length)) were not part of the programme (perhaps an advert)"
            case .repeated:
                "the last \(Measure.length(stretch.length)) had been sent before: the station repeats them"
            case .silence: "the last \(Measure.length(stretch.length)) were silent"
            case .tone: "the last \(Measure.length(stretch.length)) were one tone"
            }
        case .attachmentsLeftOut(let bytes, let item):
            "covers and other attachments" + (item.map { " of \($0)" } ?? "")
                + " are left out (\(Measure.bytes(bytes)) so far)"
        case .mayBeIncomplete(let item):
            "\(item) has not grown for a while, so it counts as over, but it may not be whole"
        case .skipped(let item, let reason): "skipped \(item): \(reason)"
        }
    }

    private static func line(_ answer: ServerAnswer) -> String {
        let who = answer.peer.isEmpty ? "the server" : answer.peer
        let software = answer.server.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
        let way = answer.redirects == 0 ? "" : ", after \(Measure.count(answer.redirects, "redirect"))"
        let ignored =
            answer.ignored == 0 ? "" : "; ignored \(Measure.count(answer.ignored, "senseless header line"))"
        return
            "\(who)\(software) answered \(answer.isICY ? "ICY " : "")\(answer.status) for \(answer.url)\(way)\(ignored)"
    }

    private static func options(_ ignored: [String]) -> String {
        ignored.isEmpty ? "" : "; it asks for options that are not applied: \(ignored.joined(separator: ", "))"
    }

    private static func leftOut(_ frames: Int64) -> String {
        frames > 0 ? "; \(Measure.count(Int(clamping: frames), "frame")) of other audio left out before it" : ""
    }

    private static func line(_ gap: Gap) -> String {
        let what =
            if gap.overlap > .zero {
                """
                audio may be missing here, or recorded twice (\(Measure.length(gap.overlap)), according to the \
                clock)
                """
            } else if let missing = gap.length {
                if missing >= .milliseconds(100) {
                    "\(Measure.length(missing)) of the programme are missing"
                } else {
                    // The clocks of two connections may differ by this much.
                    missing > .zero ? "less than 0.1 s of the programme is missing, if any" : "nothing is missing"
                }
            } else {
                "some of the programme is missing"
            }
        var line = "\(what): \(gap.cause)"
        if let repeats = gap.repeats {
            line += "; the station continues with audio that it sent \(Measure.length(repeats)) ago"
        }
        return line
    }

    /// What tells an entry of a list from all others, which may have the name that the user gave.
    private static func entryName(_ info: StationInfo) -> String {
        let place = (info.entry.map { "entry \($0.number), " } ?? "") + info.url
        return info.icyName.map { "\($0) (\(place))" } ?? place
    }

    private static func entryName(_ choice: ListChoice) -> String {
        let place = choice.addresses.last ?? ""
        return choice.name.map { "\($0) (\(place))" } ?? place
    }

    /// Says which entry of a list plays, unless it is the first.
    private static func entry(_ info: StationInfo) -> String {
        guard let entry = info.entry, entry.number > 1 else { return "" }
        return ", entry \(entry.number) of \(entry.count) of the list; the entries before it are tried again"
    }

    private static func details(_ info: StationInfo) -> String {
        var parts: [String] = []
        if let type = info.contentType { parts.append(type) }
        if let rate = info.declaredBitRate, rate > 0 { parts.append("\(rate) kbit/s") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// Includes the remedy, except for a dropped connection, which Aircheck re-establishes by itself.
    private static func trouble(_ failure: Failure) -> String {
        failure.failureClass == .dropped ? "\(failure.message) [\(failure.failureClass.rawValue)]" : "\(failure)"
    }

    private static func retry(_ delay: Duration) -> String {
        delay < .milliseconds(100) ? "; trying again" : "; trying again in \(Measure.length(delay))"
    }

    /// A message about audio that arrived damaged; nil if there was none.
    package static func line(_ damage: StreamDamage) -> String? {
        guard damage.places > 0 else { return nil }
        let bytes = Measure.count(Int(clamping: damage.bytes), "byte")
        let places = Measure.count(Int(clamping: damage.places), "place")
        // A new connection may send audio whole that had arrived damaged.
        return "\(bytes) of the station's audio arrived damaged, in \(places)"
    }

    /// A message about frames with wrong checksums; nil if there were none.
    package static func line(wrongChecksums frames: Int64) -> String? {
        // Not all of these frames need be in the recording: a new connection may repeat earlier audio.
        frames > 0
            ? "\(Measure.count(Int(frames), "frame")) came with a wrong checksum: frames are recorded unchanged"
            : nil
    }

    /// A message about the station's clock drift, in parts per million.
    package static func line(drift: Double) -> String {
        guard let size = Int(exactly: drift.magnitude.rounded()), size > 0 else {
            return "the station's clock runs as fast as this machine's"
        }
        let way = drift > 0 ? "faster" : "slower"
        let perDay = Measure.length(.milliseconds(size) * 86.4)
        return "the station's clock is \(way) than this machine's by \(size) ppm, \(perDay) a day"
    }
}
