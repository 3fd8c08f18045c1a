// SPDX-License-Identifier: MIT

/// Who may have a route, and how. Checked by the server before the handler hears of a request.
package struct HTTPRouteRules: Hashable, Sendable {
    /// From where it may be asked for.
    package var networks = NetworkPolicy()
    /// Whose names and passwords are taken; nil where none is wanted.
    package var users: UserList?
    /// Whether who brings neither name nor password is let pass all the same, as nobody (``HTTPRequest/isUser``).
    package var allowsAnonymous = false
    /// What pages of other origins may do; nil for nothing.
    package var cors: HTTPCORS?
    /// Whether `Host` must name this server, where the server knows its names. Players ask for streams by any name.
    package var checksHost = true

    /// A page: everybody may have it, under a name of this server.
    package init() {}

    /// A stream: everybody may have it, under any name and from any page.
    package static var stream: HTTPRouteRules {
        var rules = HTTPRouteRules()
        rules.cors = .stream
        rules.checksHost = false
        return rules
    }
}
