// SPDX-License-Identifier: MIT

import Configuration
package import RadioCore
package import Stations

extension Wording {
    /// The occurrence that is a station's notice; nil if it is not worth a line. `kind`: what the notice is about.
    package static func occurrence(
        _ notice: StationNotice, of subject: Occurrence.Subject, as kind: SourceKind = .live,
        in context: Occurrence.Context
    ) -> Occurrence? {
        guard let line = line(notice, of: kind, now: context.now, setting: context.setting) else { return nil }
        func occurrence(
            _ level: Occurrence.Level, _ name: String, _ fields: [String: String] = [:], _ detail: Detail = .usual
        ) -> Occurrence {
            var occurrence = Occurrence(level, name, of: subject, with: fields, line)
            occurrence.detail = detail
            return occurrence
        }
        switch notice {
        case .failed(let failure, _):
            // Aircheck tries again by itself, unless only a person can change anything.
            var failed = occurrence(
                failure.failureClass.needsPerson ? .error : .warning, "station failed",
                ["class": failure.failureClass.rawValue], failure.needsSomebody ? .needed : .usual)
            failed.fault = "\(subject.station ?? "") \(failure.failureClass.rawValue) \(failure.message)"
            return failed
        case .gap(let gap):
            return occurrence(.warning, "gap", ["seconds": gap.length.map(Measure.seconds) ?? "unknown"])
        case .connected: return occurrence(.info, "connected")
        case .changed(_, let info): return occurrence(.warning, "station changed", ["to": info.name], .needed)
        case .renamed(let info, let old):
            return occurrence(.warning, "station renamed", ["from": old, "to": info.icyName ?? info.name], .needed)
        case .chose(_, let lost): return occurrence(.warning, "station chosen", [:], lost == nil ? .full : .needed)
        case .live: return occurrence(.info, "live")
        case .spliced: return occurrence(.info, "spliced")
        case .stretch: return occurrence(.info, "stretch")
        case .mayBeIncomplete: return occurrence(.warning, "may be incomplete")
        case .attachmentsLeftOut: return occurrence(.info, "attachments left out")
        case .followedPlaylist: return occurrence(.debug, "playlist")
        case .connecting(_, let attempt): return occurrence(.debug, "connection", [:], attempt == 1 ? .usual : .full)
        case .answered, .returning: return occurrence(.debug, "connection", [:], .full)
        case .hedging, .hedgeFailed, .skipped: return occurrence(.debug, "connection")
        }
    }
}

extension Failure {
    /// Whether trying again will not help until somebody acts.
    var needsSomebody: Bool { failureClass.needsPerson || failureClass.isFinal }
}
