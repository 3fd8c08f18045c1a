// SPDX-License-Identifier: MIT

import Configuration
import Instants
package import RadioCore
package import Stations

// Occurrences of a station's connections.
extension Wording {
    /// A station's notice; nil if it is not worth a line. `kind`: what the notice is about.
    package static func occurrence(
        _ notice: StationNotice, of subject: Occurrence.Subject, as kind: SourceKind = .live,
        in context: Occurrence.Context
    ) -> Occurrence? {
        func connection(_ sentence: String, _ detail: Detail = .usual) -> Occurrence {
            Occurrence(.debug, "connection", detail: detail, of: subject, sentence)
        }
        switch notice {
        case .connecting(let url, let attempt):
            return attempt == 1
                ? connection("connecting to \(url)") : connection("connecting to \(url), attempt \(attempt)", .full)
        case .answered(let answer): return connection(line(answer), .full)
        case .connected(let info):
            return Occurrence(
                .info, "connected", of: subject, "connected to \(info.name)\(details(info))\(entry(info))")
        case .changed(let old, let info):
            let list = info.entry == nil ? "" : "of the list "
            return Occurrence(
                .warning, "station changed", detail: .needed, of: subject, with: ["to": info.name],
                "\(entryName(info)) follows, another station \(list)than \(entryName(old))\(details(info))\(entry(info))"
            )
        case .renamed(let info, let old):
            return Occurrence(
                .warning, "station renamed", detail: .needed, of: subject,
                with: ["from": old, "to": info.icyName ?? info.name],
                "\(entryName(info)) counts as the same station as \(old), although its server sends another name")
        case .chose(_, nil): return nil
        case .chose(let choice, let lost?):
            return Occurrence(
                .warning, "station chosen", detail: .needed, of: subject,
                """
                the list has the entry \(entryName(lost)) no longer, or only after another one, so the first entry that \
                plays is the station: \(entryName(choice))
                """)
        case .returning(let url): return connection("trying a better entry of the list again: \(url)", .full)
        case .live(let again):
            guard again else { return nil }
            return Occurrence(
                .info, "live", of: subject, kind == .live ? "the station is back" : "the download continues")
        case .followedPlaylist(let url, let entries, let leftOut, let ignored):
            return Occurrence(
                .debug, "playlist", of: subject,
                "\(url) is a playlist with \(entries) \(entries == 1 ? "address" : "addresses")"
                    + (leftOut > 0 ? ", and \(leftOut) more that are not used" : "") + options(ignored))
        case .failed(let failure, let retryIn):
            let (kind, name) = (failure.failureClass, failure.failureClass.rawValue)
            // Aircheck tries again by itself, unless only a person can change anything.
            return Occurrence(
                kind.needsPerson ? .error : .warning, "station failed",
                detail: failure.needsSomebody ? .needed : .usual,
                of: subject, with: ["class": name], trouble(failure.naming(context.setting)) + retry(retryIn),
                fault: "\(subject.station ?? "") \(name) \(failure.message)")
        case .hedging(let url, let hasStalled):
            return connection(
                (hasStalled ? "the station stopped sending audio" : "no audio yet")
                    + ", so a second connection is opened: \(url)")
        case .hedgeFailed(let failure):
            return connection(
                "the second connection failed, the first stays open: \(trouble(failure.naming(context.setting)))")
        case .spliced(let splice):
            return Occurrence(
                .info, "spliced", of: subject,
                "joined again after \(Measure.length(max(.zero, context.now - splice.at))), "
                    + (splice.method == .time ? "in the middle of silence" : "nothing lost")
                    + leftOut(splice.unheardFrames))
        case .gap(let gap):
            return Occurrence(
                .warning, "gap", of: subject, with: ["seconds": gap.length.map(Measure.seconds) ?? "unknown"], line(gap)
            )
        case .stretch(let stretch):
            let length = Measure.length(stretch.length)
            // Only these are noticed by the station itself.
            let what =
                stretch.kind == .foreign
                ? "were not part of the programme (perhaps an advert)"
                : "had been sent before: the station repeats them"
            return Occurrence(.info, "stretch", of: subject, "the last \(length) \(what)")
        case .attachmentsLeftOut(let bytes, let item):
            return Occurrence(
                .info, "attachments left out", of: subject,
                "covers and other attachments\(item.map { " of \($0)" } ?? "") are left out "
                    + "(\(Measure.bytes(bytes)) so far)")
        case .hasNothingToHeal(let url):
            return Occurrence(
                .warning, "nothing to heal", of: subject,
                "gaps cannot be filled from \(url): it has no list of segments, and is no relay of Aircheck")
        case .mayBeIncomplete(let item):
            return Occurrence(
                .warning, "may be incomplete", of: subject,
                "\(item) has not grown for a while, so it counts as over, but it may not be whole")
        case .skipped(let item, let reason): return connection("skipped \(item): \(reason)")
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
                "audio may be missing here"
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
}

extension Failure {
    /// Whether trying again will not help until somebody acts.
    var needsSomebody: Bool { failureClass.needsPerson || failureClass.isFinal }
}
