// SPDX-License-Identifier: MIT

/// Who may use a route, and how. The server checks these rules before it calls the handler.
package struct HTTPRouteRules: Hashable, Sendable {
    /// The networks that have access.
    package var networks = NetworkPolicy()
    /// The users that have access; nil to require no password.
    package var users: UserList?
    /// Whether clients without a name and password are served, too. The handler then decides what they are told
    /// (``HTTPExchange/user``). A wrong password is refused in any case.
    package var admitsStrangers = false
    /// What pages of other origins may do; nil if they may do nothing.
    package var cors: HTTPCORS?
    /// Whether `Host` must name this server, if the server's names are known. Players request streams by any name.
    package var checksHost = true
    /// Whether requests with a fault that only pages must refuse (``HTTPRequestHead/fault``) are answered.
    package var toleratesFaults = false

    /// The rules for a page: open to all, under a name of this server.
    package init() {}

    /// The rules for a stream: open to all, under any name and from any page.
    package static var stream: HTTPRouteRules {
        var rules = HTTPRouteRules()
        rules.cors = .stream
        rules.checksHost = false
        rules.toleratesFaults = true
        return rules
    }
}
