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
    /// Where to listen; at least one.
    package var addresses: [SocketAddress]
    /// Under which path; it begins with a slash.
    package var path: String
    package var mount: MountSettings
    package var limits: HTTPLimits

    package init(
        source: Source, addresses: [SocketAddress], path: String, mount: MountSettings = MountSettings(),
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.source = source
        self.addresses = addresses
        self.path = path
        self.mount = mount
        self.limits = limits
    }
}

/// How a relay ended.
package struct RelayOutcome: Sendable {
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?
}

/// What is told while a relay runs. Values only: they cross to the thread that writes to the terminal.
package enum RelayEvent: Sendable {
    case station(StationNotice)
    /// A file, or the rest of it, is not played, and why.
    case skipped(item: String, reason: String)
    /// It listens, with the ports that it got.
    case listening([SocketAddress])
    /// The last one.
    case ended(RelayOutcome)
}
