// SPDX-License-Identifier: MIT

import Configuration
import Daemon
package import Engine
import Instants
import RadioCore

extension WatchReport: Worded {
    private static let unnoticed = "nobody notices if it is silent"

    package func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence? {
        switch self {
        case .still(let kind, let since):
            let what = kind == .silence ? "the station is silent" : "the station sends one tone"
            let length = Measure.length(context.now - since)
            return Occurrence(
                .warning, .silence, of: subject, with: ["kind": kind.rawValue], "\(what), for \(length) so far",
                in: context
            ) { ($0.cause, $0.seconds) = (what, (context.now - since).inSeconds) }
        case .sound(let kind, let length):
            return Occurrence(
                .notice, .soundBack, of: subject,
                with: ["kind": kind.rawValue, "seconds": "\(Int(length.inSeconds.rounded()))"],
                "there is sound again, after \(Measure.length(length))", in: context
            ) { $0.seconds = length.inSeconds }
        case .unwatched(let kind):
            let what = kind == .silence ? "the station was silent" : "the station sent one tone"
            let cause = "nothing needs the station any more, or the watch began anew"
            return Occurrence(
                .notice, .soundBack, of: subject, with: ["kind": kind.rawValue], "\(what) until now: \(cause)",
                in: context
            ) { $0.cause = cause }
        case .cannotHear(let error):
            return Occurrence(unheard: subject, error, Self.unnoticed)
        case .hearsAgain:
            return Occurrence(
                .notice, "hears again", of: subject, "the station's audio can be decoded again, so silence is noticed",
                ends: "\(subject.station ?? "") \(Self.unnoticed)")
        }
    }
}
