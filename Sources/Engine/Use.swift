// SPDX-License-Identifier: MIT

package import RadioCore
import Stations

/// What to do with a programme. The value makes its own use, so a new kind of use needs a new folder, but no other
/// change in the engine.
package protocol UseSpec: Sendable {
    /// Other programmes that the use needs while it lasts.
    var otherProgrammes: [ProgrammeID] { get }
    /// Makes the use, without beginning it. Throws if it cannot begin. Called on the loop's thread.
    func makeUse(_ context: UseContext) throws(Failure) -> any Use
    /// The outcome of a use that could not begin.
    func outcome(_ failure: Failure) -> any UseOutcome
}

extension UseSpec {
    package var otherProgrammes: [ProgrammeID] { [] }
}

/// A use of a programme, from beginning to end.
package protocol Use: AnyObject {
    func begin()
    /// Ends the use soon, because somebody is waiting for its end. The outcome is reported, possibly during this call.
    func end()
    /// Performs a request. Ignores requests meant for other kinds of use.
    func perform(_ request: any UseRequest)
    /// The state of the use; nil if it has none to show.
    var snapshot: (any UseSnapshot)? { get }
    /// Retries what failed, because routes or addresses of this machine have changed. This matters only to uses that
    /// have programmes of their own.
    func networkChanged()
    /// Adapts to the wall clock, which was set.
    func clockStepped()
}

extension Use {
    package func networkChanged() {}
    package func clockStepped() {}
    package func perform(_ request: any UseRequest) {}
}

/// A request to a running use. Each kind has its own type.
package protocol UseRequest: Sendable {}

/// How a use ended. Each kind has its own type.
package protocol UseOutcome: Sendable {
    /// Why the use did not end as the user wanted; nil if it did.
    var failure: Failure? { get }
}

/// The state of a use. Each kind has its own type.
package protocol UseSnapshot: Sendable {}

/// Receives the events of a programme that it has joined.
protocol ProgrammeUser: AnyObject {
    /// Header fields to send on this user's behalf with requests for the programme.
    var requestFields: [StationSettings.Header] { get }
    /// The programme is about to run, or is running. Sinks can be attached.
    func programmeBegan(_ programme: Programme)
    func programmeSaid(_ notice: StationNotice)
    /// The programme has ended, for all users or for this one alone, and this user's claim is gone. The user's sinks
    /// receive the end from the hub a little later.
    func programmeEnded(_ failure: Failure?)
}

extension ProgrammeUser {
    var requestFields: [StationSettings.Header] { [] }
    func programmeSaid(_ notice: StationNotice) {}
}
