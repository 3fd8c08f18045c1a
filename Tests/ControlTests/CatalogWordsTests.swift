// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import Testing
import Words

@testable import Catalog

/// What the log says of a catalog that cannot be used.
struct CatalogWordsTests {
    private static func record(_ notice: CatalogThread.Notice) -> Occurrence? {
        Wording.occurrence(.catalog(notice), in: .init(now: WallInstant(nanoseconds: 0)))
    }

    @Test("A damaged catalog is an error that names the file in which it is kept") func damaged() throws {
        var opening = CatalogStore.Opening()
        #expect(Self.record(.opened(opening)) == nil)
        (opening.setAside, opening.damage) = ("/state/catalog.sqlite.bad-1", "it is no database")
        let record = try #require(Self.record(.opened(opening)))
        #expect(record.level == .error && record.sentence.contains("/state/catalog.sqlite.bad-1"))
        #expect(record.sentence.contains("is rebuilt"))
    }

    @Test("D9: A catalog that is still behind is not said to be behind again") func behind() {
        #expect(Self.record(.fellBehind(again: false))?.level == .warning)
        #expect(Self.record(.fellBehind(again: true)) == nil)
    }

    @Test("A catalog of a newer version is an error with its consequences and remedy") func newerVersion() throws {
        let record = try #require(Self.record(.failed(.newer(version: 2))))
        #expect(record.level == .error)
        let sentence =
            "the catalog was made by a newer version of Aircheck: recording continues, but nothing is listed or "
            + "deleted; install the newer version again, or move catalog.sqlite out of the state folder: Aircheck "
            + "then rebuilds the catalog"
        #expect(record.sentence == sentence)
    }
}
