// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

extension Daemon {
    /// Reports the result of a show that is over, from the files in the catalog: an earlier run of the daemon may have
    /// recorded a part. `own`: what this run recorded.
    func judge(_ airing: ShowAiring, with own: AiringResult) {
        guard mayJudge(airing, with: own) else { return }
        guard let catalog else { return tell(.showEnded(airing, own)) }
        let bound = reactor.bind(self)
        let beginning = ShowBeginning(airing: airing, folder: configuration.storage.recordings)
        catalog.ask({ store throws(CatalogError) in
            let judged = try Self.result(of: airing, in: store, and: own)
            guard let span = judged.missingBeginning(of: airing.window), try beginning.add(span, to: store) else {
                return judged
            }
            return try Self.result(of: airing, in: store, and: own)
        }) { answer in
            let judged = (try? answer.get()) ?? own
            bound.tell { $0.tell(.showEnded(airing, judged)) }
        }
    }

    private static func result(
        of airing: ShowAiring, in store: CatalogStore, and own: AiringResult
    ) throws(CatalogError) -> AiringResult {
        AiringResult(
            window: airing.window,
            try store.coverage(station: airing.station, show: airing.show.id, from: airing.window.lowerBound), and: own)
    }

    /// Reports the results of shows that came and went unseen.
    func judgeUnseen(_ span: UnseenShows.Span) {
        for airing in airings(endedIn: span.ends) where airing.window.lowerBound > span.begins {
            judge(airing, with: AiringResult(window: airing.window, pieces: []))
        }
    }

    /// Stores the time for ``judgeMissed(since:)`` of the next run, on the catalog's thread.
    func noteAlive() {
        guard let time = reportedUntil else { return }
        let file = AliveFile(folder: configuration.storage.state)
        catalog?.run { file.write(time) }
    }

    /// Stores the recordings that somebody has asked for, on the catalog's thread.
    func note(_ manual: ManualRecordings) {
        let file = StateFile(folder: configuration.storage.state, name: ManualRecordings.fileName)
        let bytes = manual.json.encoded(.pretty)
        catalog?.run { try? file.write(bytes) }
    }
}
