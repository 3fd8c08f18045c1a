// SPDX-License-Identifier: MIT

package import HTTPServer

/// A request to a running mount.
package enum MountRequest: UseRequest {
    /// New access rules, by network and password. Connected listeners stay.
    case rules(HTTPRouteRules)

    /// A stream's rules for the same networks and users. A stream may be requested under any name of this machine.
    package static func streamRules(_ rules: HTTPRouteRules) -> HTTPRouteRules {
        var stream = HTTPRouteRules.stream
        (stream.networks, stream.users) = (rules.networks, rules.users)
        return stream
    }
}
