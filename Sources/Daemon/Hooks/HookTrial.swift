// SPDX-License-Identifier: MIT

package import Configuration
import Instants
import RadioCore

/// The result of a hook that was tried with a made-up event.
package struct HookTrial: Hashable, Sendable {
    /// The number of the hook, from 0.
    package var hook: Int
    package var settings: HookSettings
    /// Why the hook failed; nil if it succeeded.
    package var failure: String?
    /// The output of its program.
    package var output: String
}

extension HookEvent {
    /// A made-up event for a trial of a hook, of the first event of which the hook is notified.
    init(trialOf settings: HookSettings, at now: WallInstant, in zone: any TimeZoneRules) {
        self.init(EventName.all.first { settings.events.contains($0.rawValue) } ?? .gap, at: now, in: zone)
        (station, stationName) = ("test", "a test, and no station")
        isTrial = true
        cause = "this is a test of the hook: nothing has happened"
    }
}
