// SPDX-License-Identifier: MIT

package import HTTPServer
package import MediaSources
package import RadioCore
package import Relay
package import Stations

/// What one `relay` is made of.
package struct RelayJob: Sendable {
    package enum Source: Sendable {
        case station(StationSettings)
        /// Files of this machine, or standard input.
        case media(MediaPlan)
    }

    package var source: Source
    /// What players hear while the source is away; nil for silence.
    package var fallback: Source?
    /// Where to listen; at least one.
    package var addresses: [SocketAddress]
    /// Under which path; it begins with a slash.
    package var path: String
    package var mount = MountSettings()
    package var limits = HTTPLimits()
    /// Names of this machine, by which pages may be asked for besides its addresses.
    package var hostNames: Set<String> = []
    /// For how long an on-demand station stays connected when nobody listens any more.
    package var linger = Duration.seconds(30)
    /// Name and version of the program, for status pages.
    package var server: String

    package init(source: Source, addresses: [SocketAddress], path: String, server: String) {
        self.source = source
        self.addresses = addresses
        self.path = path
        self.server = server
    }
}

/// How a relay is getting on, for a line on a terminal.
package struct RelayProgress: Sendable, Hashable {
    package var elapsed: Duration
    package var listeners: Int
    package var title: String?
    package var reconnects: Int
    /// Whether there is audio for listeners.
    package var isOnAir: Bool

    package init(elapsed: Duration, listeners: Int, title: String?, reconnects: Int, isOnAir: Bool) {
        self.elapsed = elapsed
        self.listeners = listeners
        self.title = title
        self.reconnects = reconnects
        self.isOnAir = isOnAir
    }
}

/// How a relay ended.
package struct RelayOutcome: Sendable {
    /// Nil where it could not even begin.
    package var mount: MountSnapshot?
    /// Who listened at the end.
    package var listeners: [ListenerSnapshot] = []
    /// For how long it ran.
    package var elapsed = Duration.zero
    /// Connections to the station that were opened after the first one had delivered audio.
    package var reconnects = 0
    /// Connections that were opened beside a connection that had gone silent.
    package var hedges = 0
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?

    package init(failure: Failure? = nil) {
        self.failure = failure
    }
}

/// What is told while a relay runs. Values only: they cross to the thread that writes to the terminal.
package enum RelayEvent: Sendable {
    case station(StationNotice)
    /// A file, or the rest of it, is not played, and why.
    case skipped(item: String, reason: String)
    /// It listens, with the ports that it got.
    case listening([SocketAddress])
    /// An on-demand station is connected to, because somebody wants to listen, or is let go of.
    case wanted(Bool)
    /// What became of the fallback.
    case fallback(Fallback.Notice)
    /// An on-demand programme has ended by itself, and is tried again when somebody asks.
    case failed(Failure)
    case progress(RelayProgress)
    /// The last one.
    case ended(RelayOutcome)
}
