// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore

/// The only place that decides whether a request may be answered: every route, and every path without a route, goes
/// through it.
final class HTTPGate {
    private let reactor: any Reactor
    private let authenticator: Authenticator
    private let usersFiles: UsersFileWatch
    /// An unknown name of this server is told once.
    var onNotice: (ServiceNotice) -> Void = { _ in }
    private var unknownHosts: Set<String> = []
    private var machineNames = MachineNames()
    /// Of more names than this, further ones are not reported, because clients can invent names.
    private static let mostUnknownHosts = 16

    /// A password is checked within `patience`, or not at all.
    init(reactor: any Reactor, patience: Duration) {
        self.reactor = reactor
        authenticator = Authenticator(reactor: reactor, patience: patience)
        usersFiles = UsersFileWatch(reactor: reactor)
        usersFiles.onUnusable = { [unowned self] in onNotice(.usersUnusable($0)) }
    }

    func close() { authenticator.close() }

    /// Calls `pass` for a permitted request, at once or when its password has been checked; answers all others itself.
    func authorize(
        _ exchange: HTTPExchange, _ rules: HTTPRouteRules, hosts: HostCheck?,
        _ pass: @escaping (HTTPExchange) -> Void
    ) {
        let request = exchange.request
        var rules = rules
        if exchange.isOwners { (rules.users, rules.networks) = (nil, NetworkPolicy()) }
        if let refusal = refusal(of: request, rules, hosts) { return exchange.respond(refusal) }
        // Browsers send a preflight request without a password, and its answer reveals no secret.
        guard let users = rules.users, request.method != .options else { return pass(exchange) }
        // A request without a password is answered without looking at a users file.
        guard BasicCredentials(request.head) != nil else {
            return rules.admitsStrangers ? pass(exchange) : exchange.respond(.unauthorized(realm: users.realm))
        }
        usersFiles.current(users) { [authenticator, onNotice] users in
            authenticator.check(request.head, from: request.client, users) { verdict in
                // Handlers must not see the password.
                exchange.forgetCredentials()
                switch verdict {
                case .right(let name):
                    exchange.confirmUser(name)
                    pass(exchange)
                case .wrong(let name):
                    if let name { onNotice(.wrongPassword(request.client.host, user: name)) }
                    exchange.respond(.unauthorized(realm: users.realm))
                case .tooOften(let wait):
                    exchange.respond(.later(.tooManyRequests, after: wait, "too many failed attempts"))
                case .busy:
                    exchange.respond(.later(.serviceUnavailable, after: .seconds(5), "too many logins at the moment"))
                }
            }
        }
    }

    private func misdirection(_ host: String?, _ hosts: HostCheck) -> HTTPResponse? {
        switch hosts.verdict(on: host) {
        case .own: return nil
        case .nonsense: return HTTPResponse(.misdirectedRequest, text: "the field Host names no server")
        case .unknown(let name) where machineNames.contain(name, now: reactor.now): return nil
        case .unknown(let name):
            if unknownHosts.count < Self.mostUnknownHosts, unknownHosts.insert(name).inserted {
                onNotice(.unknownHost(name))
            }
            let remedy = hosts.remedy.map { ", or add that name \($0)" } ?? ""
            return HTTPResponse(
                .misdirectedRequest,
                text: "this server does not know that it is called \(name): use its address\(remedy)")
        }
    }

    /// The refusal that is possible without checking the password; nil if there is none.
    private func refusal(of request: HTTPRequest, _ rules: HTTPRouteRules, _ hosts: HostCheck?) -> HTTPResponse? {
        if !rules.toleratesFaults, let fault = request.head.fault {
            return HTTPResponse(fault.status, text: fault.message)
        }
        guard rules.networks.permits(request.client) else {
            return HTTPResponse(.forbidden, text: "access from your address is not permitted")
        }
        if rules.checksHost, let hosts, let refusal = misdirection(request.head["host"], hosts) { return refusal }
        guard request.method.isSafe || HostCheck.isSameOrigin(request.head) else {
            return HTTPResponse(.forbidden, text: "requests from pages of other sites are not permitted")
        }
        return nil
    }
}

extension HTTPResponse {
    /// Asks for a name and password (RFC 7617).
    fileprivate static func unauthorized(realm: String) -> HTTPResponse {
        let quoted = realm.filter { $0 != "\"" && $0 != "\\" }
        let challenge = HTTPField("WWW-Authenticate", "Basic realm=\"\(quoted)\", charset=\"UTF-8\"")
        return HTTPResponse(.unauthorized, fields: [challenge], text: "a name and a password are required")
    }
}
