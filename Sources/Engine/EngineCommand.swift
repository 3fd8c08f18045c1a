// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
package import Storage

/// A command to the engine. It is plain data, so that a configuration, a web page and the command line can all send the
/// same commands.
package enum EngineCommand: Sendable {
    /// Adds a programme. The programme does not run until it has a use.
    case add(ProgrammeID, ProgrammeSpec)
    /// Ends a programme's uses, and removes it once they have ended.
    case remove(ProgrammeID)
    /// Starts listening for HTTP. A further command changes what is served; sockets whose addresses stay in the list
    /// are not touched.
    case serve(ServiceSpec)
    /// Tries again to listen on those addresses of the service on which listening has failed.
    case listenAgain
    /// Completes the files that earlier runs left in a folder of recordings and its subfolders. `depth` is the number
    /// of folder levels that file names can have.
    case recover(folder: String, depth: Int)
    /// Tells of a bundle that somebody else has finished, such as a copy, as of any other.
    case tell(of: FinishedBundle)
    /// Begins a use of a programme that has been added.
    case begin(UseID, any UseSpec, of: ProgrammeID)
    /// Ends a use soon: its files are finished, and other uses are unaffected.
    case end(UseID)
    /// Sends a request to a running use.
    case ask(UseID, any UseRequest)
    /// Ends all uses.
    case endAll
}

/// Where to listen for HTTP, and who has access.
package struct ServiceSpec: Sendable {
    /// What happens if some addresses cannot be listened on.
    package enum Shortage: Sendable {
        /// The service does not start; the failure says why.
        case fails
        /// The service starts with the addresses that work, even if none of them works.
        case servesOthers
    }

    /// At least one address, unless ``sockets`` has inherited ones.
    package var addresses: [SocketAddress] = []
    /// Where the service gets its sockets, all inherited ones included; used only in the first command. Nil if it opens
    /// them itself.
    package var sockets: LoopBound<ListeningSockets>?
    package var shortage = Shortage.fails
    /// The Unix socket at which this process's own user needs no password; nil for none.
    package var ownersSocket: SocketAddress?
    package var limits = HTTPLimits()
    /// Names of this machine that it does not know itself, accepted in requests for pages.
    package var hostNames: Set<String> = []
    /// Where the user adds such a name; see ``HostCheck/remedy``.
    package var hostNameRemedy: String?
    /// Who may see the pages.
    package var rules = HTTPRouteRules()
    /// The program's name and version, for status pages.
    package var server: String
    /// Routes that are served in addition to the service's own pages, which they may replace. Their owner keeps them.
    package var routes: [LoopBound<RouteSet>] = []
    /// Where the access log writes a line for each answered request; nil for no access log.
    package var accessLog: AccessLogFile.Destination?

    package init(addresses: [SocketAddress] = [], server: String) {
        self.addresses = addresses
        self.server = server
    }
}
