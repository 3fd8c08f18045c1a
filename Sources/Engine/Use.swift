// SPDX-License-Identifier: MIT

import RadioCore
import Stations

/// What is done with a programme, from its beginning to its end. Confined to the loop's thread.
protocol Use: AnyObject {
    func begin()
    /// Asks for the end, because somebody waits for it. The outcome is told, perhaps at once.
    func end()
    var snapshot: UseSnapshot { get }
}

/// What a use hears of the programme that it has joined.
protocol ProgrammeUser: AnyObject {
    /// Header fields that requests for the programme carry for this user's sake.
    var requestFields: [StationSettings.Header] { get }
    /// The programme is about to run, or runs already: sinks can be attached.
    func programmeBegan(_ programme: any Programme)
    func programmeSaid(_ notice: StationNotice)
    /// The programme is over, for all or for this user alone. No claim to it is left. Its sinks hear of the end from
    /// the hub, a little later.
    func programmeEnded(_ failure: Failure?)
}

extension ProgrammeUser {
    var requestFields: [StationSettings.Header] { [] }
    func programmeSaid(_ notice: StationNotice) {}
}
