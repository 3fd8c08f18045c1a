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
    /// recorded a part. `result`: what this run recorded, in case there is no catalog.
    func judge(_ airing: ShowAiring, orElse result: AiringResult) {
        guard let catalog else { return tell(.showEnded(airing, result)) }
        let start = airing.window.lowerBound
        let bound = reactor.bind(self)
        catalog.ask({ store throws(CatalogError) in
            try store.coverage(station: airing.station, show: airing.show.id, from: start)
        }) { answer in
            let judged = (try? answer.get()).map { AiringResult(window: airing.window, $0) } ?? result
            bound.tell { $0.tell(.showEnded(airing, judged)) }
        }
    }

    /// Reports the results of shows that came and went unseen.
    func judgeUnseen(_ span: UnseenShows.Span) {
        for airing in airings(endedIn: span.ends) where airing.window.lowerBound > span.begins {
            judge(airing, orElse: AiringResult(window: airing.window, pieces: [], gaps: []))
        }
    }

    /// Stores the time for ``judgeMissed(since:)`` of the next run, on the catalog's thread.
    func noteAlive() {
        guard let time = reportedUntil else { return }
        let file = AliveFile(folder: configuration.storage.state)
        catalog?.ask({ _ throws(CatalogError) in file.write(time) }) { _ in }
    }

    /// Stores the recordings that somebody has asked for, on the catalog's thread.
    func note(_ manual: ManualRecordings) {
        let file = StateFile(folder: configuration.storage.state, name: ManualRecordings.fileName)
        let bytes = manual.json.encoded(.pretty)
        catalog?.ask({ _ throws(CatalogError) in try? file.write(bytes) }) { _ in }
    }
}
