// SPDX-License-Identifier: MIT

package import HTTPServer
package import MediaSources
import RadioCore
package import Stations

/// What the engine can be asked to do: values, so that a configuration, a page and the command line ask alike.
package enum EngineCommand: Sendable {
    /// A programme that uses can be made of. Nothing runs before there is one.
    case add(ProgrammeID, ProgrammeSpec)
    /// Ends a programme's uses, and forgets it once they have ended.
    case remove(ProgrammeID)
    /// Listens for HTTP from now on; once.
    case serve(ServiceSpec)
    /// Begins a use of a programme that was added.
    case begin(UseID, any UseSpec, of: ProgrammeID)
    /// Ends a use soon: files are finished, and no other use is touched.
    case end(UseID)
    /// Has a use do something while it lasts.
    case ask(UseID, any UseRequest)
    /// Ends all uses.
    case endAll
}

/// Where a programme comes from.
package enum ProgrammeSpec: Sendable {
    case station(StationSettings)
    /// Files of this machine, or standard input, with so much audio ahead of real time.
    case media(MediaPlan, ahead: Duration)
    /// The bundled music, served on loopback by our own relay and received from there like any station.
    case demo(userAgent: String)
    /// Nothing by itself: the items of a queue have programmes of their own.
    case queue
}

/// Where to listen for HTTP, and for whom.
package struct ServiceSpec: Sendable {
    /// At least one.
    package var addresses: [SocketAddress]
    package var limits = HTTPLimits()
    /// Names of this machine, by which pages may be asked for besides its addresses.
    package var hostNames: Set<String> = []
    /// Who may see the status pages.
    package var rules = HTTPRouteRules()
    /// Name and version of the program, for status pages.
    package var server: String

    package init(addresses: [SocketAddress], server: String) {
        self.addresses = addresses
        self.server = server
    }
}
