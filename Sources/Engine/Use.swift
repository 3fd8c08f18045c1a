// SPDX-License-Identifier: MIT

package import RadioCore
import Stations

/// What is to be done with a programme: a value that makes its own use, so that a new kind of use is a new folder, and
/// nothing else in the engine changes.
package protocol UseSpec: Sendable {
    /// Other programmes that the use needs while it lasts.
    var otherProgrammes: [ProgrammeID] { get }
    /// Makes the use; it has not begun yet. Throws where it cannot even begin. On the loop.
    func makeUse(_ context: UseContext) throws(Failure) -> any Use
    /// The end of a use that could not even begin.
    func outcome(_ failure: Failure) -> any UseOutcome
}

extension UseSpec {
    package var otherProgrammes: [ProgrammeID] { [] }
}

/// What is done with a programme, from its beginning to its end. Confined to the loop's thread.
package protocol Use: AnyObject {
    func begin()
    /// Asks for the end, because somebody waits for it. The outcome is told, perhaps at once.
    func end()
    /// Does what somebody wants of it while it lasts; nothing where that is not for its kind.
    func perform(_ request: any UseRequest)
    /// The use at a glance; nil where there is nothing to be said of it while it lasts.
    var snapshot: (any UseSnapshot)? { get }
    /// Routes or addresses of this machine have changed: for a use with programmes of its own.
    func networkChanged()
    /// The wall clock was set.
    func clockStepped()
}

extension Use {
    package func networkChanged() {}
    package func clockStepped() {}
    package func perform(_ request: any UseRequest) {}
}

/// What somebody wants of a use that lasts: each kind has a type of its own.
package protocol UseRequest: Sendable {}

/// How a use ended: each kind has a type of its own.
package protocol UseOutcome: Sendable {
    /// Why it is not what the user wanted; nil where it is.
    var failure: Failure? { get }
}

/// A use at a glance: each kind has a type of its own.
package protocol UseSnapshot: Sendable {}

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
