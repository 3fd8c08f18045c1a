// SPDX-License-Identifier: MIT

import Catalog
package import Configuration
package import Instants
package import RadioCore

/// What retention deletes by a configuration that no daemon uses yet.
package enum RetentionForecast {
    /// Determines it from the catalog in the state folder, which a daemon may be using meanwhile. Nil if there is no
    /// catalog, or if it cannot be read. The call blocks.
    package static func foresee(
        _ configuration: Configuration, now: WallInstant, in zone: any TimeZoneRules
    ) -> RetentionOutcome? {
        let storage = configuration.storage
        let run = RetentionRun(
            folder: storage.recordings, state: storage.state, rules: RetentionRules(configuration),
            now: now, zone: zone, isDryRun: true)
        guard let store = try? CatalogStore(reading: storage.state) else { return nil }
        return try? run.perform(store)
    }
}
