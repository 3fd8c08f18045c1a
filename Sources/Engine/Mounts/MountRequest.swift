// SPDX-License-Identifier: MIT

package import HTTPServer

/// A request to a running mount.
package enum MountRequest: UseRequest {
    /// Sets new access rules, by network and password. Connected listeners stay.
    case rules(HTTPRouteRules)

    /// The rules for a stream: the same networks and users as in `rules`, but a stream may be requested under any name
    /// of this machine.
    package static func streamRules(_ rules: HTTPRouteRules) -> HTTPRouteRules {
        var stream = HTTPRouteRules.stream
        (stream.networks, stream.users) = (rules.networks, rules.users)
        return stream
    }
}
