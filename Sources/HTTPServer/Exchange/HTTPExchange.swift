// SPDX-License-Identifier: MIT

/// A request that waits for its answer.
///
/// Must be answered exactly once, at once or within ``HTTPLimits/answer``, by ``respond(_:)`` or ``takeOver()``. If it
/// is not answered in time, the server sends a 503. Answers after that, or after the client has gone, are ignored.
package final class HTTPExchange {
    /// The request. If the route has users, the password has been removed.
    package private(set) var request: HTTPRequest
    /// Fields that the route adds to every answer. A handler that takes over the socket sends them in its head.
    package internal(set) var fields: [HTTPField] = []
    /// The user whose name and password the request contained; nil if it contained none.
    package private(set) var user: String?
    private var connection: HTTPConnection?

    init(_ request: HTTPRequest, connection: HTTPConnection) {
        self.request = request
        self.connection = connection
    }

    /// Sends a complete response.
    package func respond(_ response: HTTPResponse) {
        take()?.respond(response.adding(fields))
    }

    /// Answers a HEAD request for a streamed response: sends only the head, without a length, or the refusal that a GET
    /// request would get.
    package func respondWithHead(of response: HTTPResponse) {
        take()?.respondWithHead(of: response.adding(fields), adding: fields)
    }

    /// Gives the socket to the caller, who sends everything from the first byte of the head on, and closes the socket.
    ///
    /// Returns nil if the client has gone, the exchange has been answered, or streams fill all places open to them (the
    /// client then gets a 503). The caller has nothing more to do in these cases.
    package func takeOver() -> HTTPSocket? {
        take()?.release(adding: fields)
    }

    /// Counts the exchange as a stream in advance, for an answer that has to wait. Clients that wait for such an answer
    /// then leave room for pages, as streams do. Returns false if there is nothing more to do, see ``takeOver()``.
    package func reserveStream() -> Bool {
        guard let connection else { return false }
        guard connection.reserveStream(adding: fields) else {
            self.connection = nil
            return false
        }
        return true
    }

    /// Calls `action` once, after closing the connection, if the client closes its side before its request is answered.
    ///
    /// For clients known to close both directions at once: other clients may half-close their connection and still wait
    /// for the answer.
    package func whenClientCloses(_ action: @escaping () -> Void) {
        connection?.whenClientCloses(action)
    }

    /// The beginning of every address by which the client reaches this server: scheme, host and port, and the path that
    /// a trusted proxy has put before ours.
    package var baseURL: String {
        // HTTP/1.0 clients need not send a host.
        if let url = request.baseURL { return url }
        guard let address = connection?.localAddress, !address.host.isUnix else { return "http://localhost" }
        return "http://\(address.withoutScope)"
    }

    /// The user whose program is connected through a Unix socket (`SO_PEERCRED`); nil for any other connection.
    package var localUser: UInt32? { connection?.localUser }

    /// Whether the client is the process's own user, or root. See ``HTTPService/listenForOwner(_:)``.
    var isOwners: Bool { connection?.isOwners ?? false }

    func forgetCredentials() {
        request.head.fields.removeAll { $0.name == "authorization" }
    }

    /// Makes a user, whose credentials were right, the user of the exchange.
    func confirmUser(_ name: String) {
        user = name
        connection?.confirmUser(name)
    }

    /// The connection at the first call, nil afterwards.
    private func take() -> HTTPConnection? {
        defer { connection = nil }
        return connection
    }
}

extension HTTPResponse {
    /// Adds fields, except those that the response already has.
    func adding(_ others: [HTTPField]) -> HTTPResponse {
        guard !others.isEmpty else { return self }
        var response = self
        for field in others where !fields.contains(where: { $0.name == field.name }) { response.fields.append(field) }
        return response
    }
}
