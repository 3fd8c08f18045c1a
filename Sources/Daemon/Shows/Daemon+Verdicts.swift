// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import EventLoop
import Instants
import RadioCore
import Storage

extension Daemon {
    /// Says what has become of a show that is over, by what the catalog has of it: an earlier run of the daemon may have
    /// recorded a part. `result`: what is known without the catalog.
    func judge(_ airing: ShowAiring, orElse result: AiringResult) {
        guard let catalog else { return tell(.showEnded(airing, result)) }
        let from = airing.window.lowerBound.milliseconds
        let bound = reactor.bind(self)
        catalog.ask({ store throws(CatalogError) in
            try store.coverage(station: airing.station, show: airing.show.id, from: from)
        }) { answer in
            let judged = (try? answer.get()).map { AiringResult(window: airing.window, $0) } ?? result
            bound.tell { $0.tell(.showEnded(airing, judged)) }
        }
    }

    /// Says what has become of the shows that ended in a span, and began after an instant.
    func judgeShows(endedIn span: Range<WallInstant>, begunAfter first: WallInstant) {
        let start = max(span.lowerBound, span.upperBound - Self.longestAbsence)
        for airing in airings(endedIn: start..<span.upperBound) where airing.window.lowerBound > first {
            judge(airing, orElse: AiringResult(window: airing.window, pieces: [], gaps: []))
        }
    }

    /// Writes down that the daemon runs, on the catalog's thread.
    func noteAlive() {
        guard hasClock else { return }
        let (file, now) = (AliveFile(folder: configuration.storage.state), reactor.wallNow)
        catalog?.ask({ _ throws(CatalogError) in file.write(now) }) { _ in }
    }

    /// Who was away for longer does not want to read of each show.
    private static let longestAbsence = Duration.seconds(14 * 86_400)
}

extension WallInstant {
    /// Milliseconds since 1970, rounded down.
    fileprivate var milliseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
